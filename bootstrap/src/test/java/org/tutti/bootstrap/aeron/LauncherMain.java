/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.JobDirectory;

/** A launcher in its own process, to be killed. */
public final class LauncherMain
{
    static final long HEARTBEAT_TIMEOUT_MS = 2_000;

    private LauncherMain()
    {
    }

    /**
     * Starts a coordinator for two ranks, and waits.
     *
     * @param args the heartbeat timeout in milliseconds, if not the default.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final long heartbeatTimeoutMs = args.length == 0 ? HEARTBEAT_TIMEOUT_MS : Long.parseLong(args[0]);
        final String jobId = "gone-" + ProcessHandle.current().pid();
        try (
            JobDirectory directory = JobDirectory.create(jobId);
            Coordinator coordinator = Coordinator.start(new CoordinatorContext()
                .jobId(jobId)
                .size(2)
                .aeronDirectory(directory.aeronDirectory())
                .secret(new byte[]{'x'})
                .heartbeatTimeoutNs(TimeUnit.MILLISECONDS.toNanos(heartbeatTimeoutMs))
                .listener(new CoordinatorListener()
                {
                    @Override
                    public void onJoined(final int rank, final String host, final long pid)
                    {
                        System.out.println("joined");
                    }
                })))
        {
            System.out.println("ready" + (coordinator.failure() == null ? "" : ", but failed"));
            Thread.sleep(60_000);
        }
    }
}
