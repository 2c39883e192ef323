/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import picocli.CommandLine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Rank of a job that trains like {@code mnist}, whose rank 1 is killed after a step of the first start. Arguments: the
 * number of the step, 0 for none, and the options of {@code mnist}.
 */
public final class MnistRestartTarget
{
    private MnistRestartTarget()
    {
    }

    /** Trains; see the class. */
    public static void main(final String[] args)
    {
        final long last = Long.parseLong(args[0]);
        final boolean isVictim = "1".equals(System.getenv("RANK")) && "0".equals(System.getenv("TUTTI_RESTART_COUNT"));
        final MnistJob job = new MnistJob(steps ->
        {
            if (isVictim && steps == last)
            {
                kill();
            }
        });
        System.exit(new CommandLine(job).execute(Arrays.copyOfRange(args, 1, args.length)));
    }

    private static void kill()
    {
        try
        {
            new ProcessBuilder("kill", "-s", "KILL", Long.toString(ProcessHandle.current().pid())).start().waitFor();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
