/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.JobDirectory;

/** A job on two hosts, both simulated on this one: each has its own directory and media driver. */
class HostMediaTest
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final AtomicReference<String> failure = new AtomicReference<>();

    @Test
    void shouldJoinFromAnotherHostAtPortChosenByKernel()
    {
        try (LaunchedJob job = new LaunchedJob(2, (context) -> context.endpoint("0.0.0.0:0"));
            JobDirectory directory = JobDirectory.create(job.jobId + "-h1"))
        {
            final HostMedia media = HostMedia.start(directory.aeronDirectory(), 1, failure::set);
            assertTrue(job.coordinator.port() > 0);
            final Map<String, String> environment = job.environment(1);
            environment.put("TUTTI_JOB_DIR", directory.path().toString());
            environment.put("TUTTI_COORDINATOR", "127.0.0.1:" + job.coordinator.port());
            environment.put("LOCAL_RANK", "0");
            environment.put("LOCAL_WORLD_SIZE", "1");
            try (Bootstrap here = job.join(0); Bootstrap there = Bootstraps.fromEnvironment(environment))
            {
                there.put("key", new byte[] {7});

                assertArrayEquals(new byte[] {7}, here.await("key", TIMEOUT_NS));
            }
            media.close();
            assertFalse(Files.exists(directory.aeronDirectory()));
            assertNull(failure.get());
        }
    }
}
