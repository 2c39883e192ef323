/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A job whose ranks join, pass a barrier, and then end as requested. */
@Command(name = "sample-rank")
public final class SampleRank implements JobCommand
{
    /** Longer than any test waits for a job. */
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(10);

    @Parameters(
        index = "0",
        description = "The action of rank 1, or of the only rank, after a barrier (leave, linger, die, forget, " +
            "abort) or before it joins (come-late).")
    private String end;

    @Parameters(
        index = "1", arity = "0..1", description = "The file whose creation ends linger or come-late.")
    private Path until;

    @Override
    @SuppressWarnings("resource")
    public Integer call()
    {
        if (end.equals("come-late") && "1".equals(System.getenv("RANK")))
        {
            linger(until);
        }
        final Bootstrap bootstrap = Bootstraps.fromEnvironment();
        bootstrap.barrier("start", TIMEOUT_NS);
        if (bootstrap.rank() == 1 || bootstrap.size() == 1)
        {
            switch (end)
            {
                case "linger" -> linger(until);
                case "die" -> Runtime.getRuntime().halt(9);
                case "forget" -> Runtime.getRuntime().halt(0);
                case "abort" ->
                {
                    bootstrap.abort("rank 1 has enough");
                    return 3;
                }
                default ->
                {
                    // Continues like the other ranks.
                }
            }
        }
        return endTogether(bootstrap);
    }

    /** Waits until a file exists. */
    private static void linger(final Path until)
    {
        System.out.println("rank 1 is " + ProcessHandle.current().pid());
        try
        {
            final long startNs = System.nanoTime();
            while (!Files.exists(until) && System.nanoTime() - startNs < TIMEOUT_NS)
            {
                Thread.sleep(10);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static int endTogether(final Bootstrap bootstrap)
    {
        try
        {
            bootstrap.barrier("end", TIMEOUT_NS);
            bootstrap.close();
            return 0;
        }
        catch (final BootstrapException ex)
        {
            System.out.println("rank " + bootstrap.rank() + " heard: " + ex.getMessage());
            return 1;
        }
    }
}
