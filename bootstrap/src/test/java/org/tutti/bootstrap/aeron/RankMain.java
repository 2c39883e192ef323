/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;

/** A rank in its own process; the argument selects its action. */
public final class RankMain
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Longer than the interval of one second at which media drivers check clients for heartbeats. */
    private static final int STAY_S = 3;

    private RankMain()
    {
    }

    /**
     * Runs the rank.
     *
     * @param args the action: "barrier", "hang", "stay" or "exit".
     */
    public static void main(final String[] args)
    {
        final long startedMs = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
        final long mainMs = System.currentTimeMillis() - startedMs;
        try (Bootstrap bootstrap = Bootstraps.fromEnvironment())
        {
            final long joinedMs = System.currentTimeMillis() - startedMs;
            bootstrap.barrier("start", TIMEOUT_NS);
            System.out.println("rank " + bootstrap.rank() + " main " + mainMs + " joined " + joinedMs + " passed " +
                (System.currentTimeMillis() - startedMs) + " ms; local " + bootstrap.localRank() + "/" +
                bootstrap.localSize() + " in " + bootstrap.jobDirectory());
            if (args[0].equals("exit"))
            {
                Runtime.getRuntime().halt(0);
            }
            if (args[0].equals("stay"))
            {
                stay(bootstrap);
            }
            if (args[0].equals("hang"))
            {
                bootstrap.await("never", TIMEOUT_NS);
            }
        }
        catch (final BootstrapException ex)
        {
            System.out.println("error: " + ex.getMessage());
            System.exit(1);
        }
    }

    /** Passes barriers until all ranks have been alive for some seconds. */
    private static void stay(final Bootstrap bootstrap)
    {
        final long startNs = System.nanoTime();
        for (int i = 0; i < STAY_S; i++)
        {
            while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(i + 1))
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            bootstrap.barrier("stay " + i, TIMEOUT_NS);
        }
    }
}
