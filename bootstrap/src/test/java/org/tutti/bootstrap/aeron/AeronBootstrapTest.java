/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapContract;

class AeronBootstrapTest extends BootstrapContract
{
    private final List<LaunchedJob> jobs = new ArrayList<>();

    @Override
    protected List<? extends Bootstrap> start(final int size)
    {
        final LaunchedJob job = new LaunchedJob(size);
        jobs.add(job);
        return job.joinAll();
    }

    @Test
    void shouldAllocateMemoryOfBuffersInAdvance() throws Exception
    {
        final Bootstrap rank = start(1).get(0);

        final Process find = new ProcessBuilder(
            "find", jobs.get(0).directory.aeronDirectory().toString(), "-type", "f",
            "!", "-name", "loss-report.dat", "-printf", "%b %s %P\\n").start();
        for (final String line : find.inputReader().readAllLines())
        {
            final String[] words = line.split(" ", 3);
            assertTrue(Long.parseLong(words[0]) * 512 >= Long.parseLong(words[1]), line);
        }
        rank.close();
    }

    @AfterEach
    void closeJobs()
    {
        for (final LaunchedJob job : jobs)
        {
            job.close();
            assertFalse(Files.exists(job.directory.path()));
        }
    }
}
