/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a process which is told to exit while it starts leaves no directory. */
class ExitRemovalTest
{
    @TempDir
    Path base;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNothingWhenTheProcessStartsWhileItExits(final boolean isBelow) throws Exception
    {
        final Process process = RankProcesses.start(
            ExitingMain.class, Map.of(), base.toString(), Boolean.toString(isBelow));
        final String output = RankProcesses.output(process);

        try (Stream<Path> left = Files.walk(base))
        {
            assertEquals(List.of(base), left.toList(), output);
        }
        assertTrue(output.contains("this process is exiting"), output);
        assertEquals(0, process.exitValue());
    }
}
