/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.ReduceOp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that joins from code, and prints the sum of the rank numbers plus one, and the size of its host. */
public final class JoiningRank
{
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private JoiningRank()
    {
    }

    /**
     * Runs the rank.
     *
     * @param arguments coordinator's address and secret, rank, number of ranks, and "sum" or "host"; or "alone" for two
     *                  jobs of one rank.
     */
    public static void main(final String[] arguments)
    {
        if (arguments[0].equals("coordinator"))
        {
            startCoordinator();
            return;
        }
        if (arguments[0].equals("alone"))
        {
            join(JoinOptions.of(0, 1), false);
            join(JoinOptions.of(0, 1), false);
            return;
        }
        join(JoinOptions.of(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]))
            .coordinator(arguments[0]).secret(arguments[1]).joinTimeout(TIMEOUT), arguments[4].equals("host"));
    }

    private static void join(final JoinOptions options, final boolean printsHost)
    {
        try (Communicator communicator = Communicator.join(options))
        {
            System.out.println(sum(communicator));
            if (printsHost)
            {
                try (Communicator host = communicator.splitByHost())
                {
                    System.out.println(host.size() + " on this host");
                }
            }
        }
        catch (final BootstrapException e)
        {
            System.out.println("error: " + e.getMessage());
        }
    }

    private static void startCoordinator()
    {
        try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(1)))
        {
            System.out.println(coordinator.address());
        }
        catch (final BootstrapException e)
        {
            System.out.println("error: " + e.getMessage());
        }
    }

    static int sum(final Communicator communicator)
    {
        final int[] values = {communicator.rank() + 1};
        communicator.allreduce(values, ReduceOp.SUM);
        return values[0];
    }

    /** Starts the process, below a command such as unshare. */
    static Process start(final List<String> prefix, final String... arguments) throws IOException
    {
        return start(JoiningRank.class, prefix, arguments);
    }

    /** Starts a process with another main class. */
    static Process start(final Class<?> main, final List<String> prefix, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    static String output(final Process process) throws IOException
    {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
