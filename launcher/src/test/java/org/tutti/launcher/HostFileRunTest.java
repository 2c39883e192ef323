/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFileRunTest
{
    private static final String VARIABLE = "OMPI_MCA_orte_default_hostfile";

    @TempDir
    private Path directory;

    @Test
    void shouldRunOnHostsOfFileThatVariableOfOtherLauncherNames() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hostfile"), "alpha slots=2\nbeta:1\n");

        final TuttiProcess.Result all = run(file, "sh", "-c", "echo $RANK $LOGNAME");
        final TuttiProcess.Result tooMany = run(file, "-np", "4", "true");

        assertEquals(List.of("0 alpha", "1 alpha", "2 beta"), all.outLines().stream().sorted().toList(), all.err());
        assertEquals(2, tooMany.code(), tooMany.err());
        assertTrue(tooMany.err().contains("-np 4 exceeds the 3 slots of " + VARIABLE + "=" + file + ": give at most 3"),
            tooMany.err());
    }

    @Test
    void shouldReportFileOfVariableThatCannotBeRead()
    {
        final TuttiProcess.Result result = run(directory.resolve("none"), "-np", "1", "true");

        assertEquals(2, result.code(), result.err());
        assertTrue(result.err().startsWith("tutti run: cannot read " + VARIABLE + "=" + directory.resolve("none")),
            result.err());
    }

    @Test
    void shouldPreferGivenHostsToVariable()
    {
        try (TuttiProcess tutti = TuttiProcess.startWith(Map.of(VARIABLE, "/no/such/file"),
            new FakeHosts(directory).words("beta", "-q", "sh", "-c", "echo $LOGNAME")))
        {
            assertEquals(new TuttiProcess.Result(0, "beta\n", ""), tutti.awaitEnd());
        }
    }

    /** Runs a job on simulated hosts without options that name these. */
    private TuttiProcess.Result run(final Path file, final String... words)
    {
        final List<String> arguments = new ArrayList<>(List.of(new FakeHosts(directory).words("unused", words)));
        arguments.subList(1, 3).clear();
        try (TuttiProcess tutti =
            TuttiProcess.startWith(Map.of(VARIABLE, file.toString()), arguments.toArray(String[]::new)))
        {
            return tutti.awaitEnd();
        }
    }
}
