/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;

/** A rank as a process of its own; its argument says what it does. */
public final class RankMain
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private RankMain()
    {
    }

    /**
     * Runs the rank.
     *
     * @param args what it does: "barrier", "hang" or "exit".
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
}
