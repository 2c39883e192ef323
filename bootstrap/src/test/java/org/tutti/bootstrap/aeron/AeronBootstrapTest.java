/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
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
