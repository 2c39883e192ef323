/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBootstrapTest extends BootstrapContract
{
    @TempDir
    Path directory;

    @Override
    protected List<? extends Bootstrap> start(final int size)
    {
        final List<Bootstrap> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++)
        {
            ranks.add(new FileBootstrap(directory, environment(rank, size)));
        }
        return ranks;
    }

    private static JobEnvironment environment(final int rank, final int size)
    {
        return JobEnvironment.read(Map.of(
            "RANK", Integer.toString(rank),
            "WORLD_SIZE", Integer.toString(size),
            "LOCAL_RANK", Integer.toString(rank),
            "LOCAL_WORLD_SIZE", Integer.toString(size),
            "TUTTI_JOB_ID", "file-" + ProcessHandle.current().pid()));
    }

    @Test
    void shouldRefuseADirectoryThatIsNotThere()
    {
        final Path missing = directory.resolve("missing");

        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> new FileBootstrap(missing, environment(0, 1)));

        assertTrue(refusal.getMessage().contains(missing.toString()), refusal.getMessage());
    }
}
