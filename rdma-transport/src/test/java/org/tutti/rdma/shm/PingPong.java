/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.CompletionOpcode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the provider: the cost of a post and its poll in one thread, and the latency of 8 bytes between two
 * processes. Not a test: run {@code main} with the flags of {@code jvm.options}.
 */
final class PingPong
{
    private static final int ROUNDS = 5;
    private static final int EXCHANGES = 1_000_000;
    private static final int SIGNAL_EVERY = 32;

    private PingPong()
    {
    }

    /**
     * Runs the measurements and prints the results.
     *
     * @param args empty, or the directory for the second process.
     * @throws IOException if communication with the other process fails.
     */
    public static void main(final String... args) throws IOException
    {
        final PrintStream out = System.out;
        if (args.length == 1)
        {
            final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (Pair pair = new Pair(new ShmProvider(Path.of(args[0])), 4096))
            {
                exchange(pair, in, out, false);
            }
            return;
        }
        final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "tutti-pingpong-");
        try
        {
            oneThread(directory, out);
            twoProcesses(directory, out);
        }
        finally
        {
            Files.deleteIfExists(directory.resolve("lock"));
            Files.deleteIfExists(directory);
        }
    }

    private static void oneThread(final Path directory, final PrintStream out)
    {
        final ShmProvider provider = new ShmProvider(directory);
        try (Pair sender = new Pair(provider, 4096); Pair receiver = new Pair(provider, 4096))
        {
            sender.connect(receiver.qp.qpNum());
            receiver.connect(sender.qp.qpNum());
            sender.prepareWrite(receiver.memory.address(), receiver.region.rkey());
            for (int round = 0; round < ROUNDS; round++)
            {
                final long startNs = System.nanoTime();
                for (int i = 1; i <= EXCHANGES; i++)
                {
                    receiver.postReceive();
                    sender.postSend(i % SIGNAL_EVERY == 0);
                    await(receiver);
                    if (i % SIGNAL_EVERY == 0)
                    {
                        await(sender);
                    }
                }
                out.printf("one thread: post receive, post, poll: %.0f ns%n",
                    (System.nanoTime() - startNs) / (double)EXCHANGES);
            }
        }
    }

    private static void twoProcesses(final Path directory, final PrintStream out) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
            .toString(), "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
            PingPong.class.getName(), directory.toString()));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (Pair pair = new Pair(new ShmProvider(directory), 4096);
            BufferedReader in = process.inputReader(StandardCharsets.UTF_8);
            PrintStream peer = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8))
        {
            exchange(pair, in, peer, true);
            for (int round = 0; round < ROUNDS; round++)
            {
                out.println(in.readLine());
            }
        }
        finally
        {
            process.onExit().join();
        }
    }

    /** Runs both sides: exchanges addresses as text, then 8 bytes back and forth; the responding side prints. */
    private static void exchange(
        final Pair pair, final BufferedReader in, final PrintStream out, final boolean isFirst) throws IOException
    {
        out.println(pair.qp.qpNum() + " " + pair.memory.address() + " " + pair.region.rkey());
        final String[] peer = in.readLine().split(" ", -1);
        pair.connect(Integer.parseInt(peer[0]));
        pair.prepareWrite(Long.parseLong(peer[1]), Integer.parseInt(peer[2]));
        for (int i = 0; i < Pair.QUEUE / 2; i++)
        {
            pair.postReceive();
        }
        for (int round = 0; round < ROUNDS; round++)
        {
            final long startNs = System.nanoTime();
            for (int i = 1; i <= EXCHANGES; i++)
            {
                if (isFirst)
                {
                    pair.postSend(i % SIGNAL_EVERY == 0);
                }
                awaitReceive(pair);
                pair.postReceive();
                if (!isFirst)
                {
                    pair.postSend(i % SIGNAL_EVERY == 0);
                }
            }
            if (!isFirst)
            {
                out.printf("two processes: half a round trip of 8 bytes: %.0f ns%n",
                    (System.nanoTime() - startNs) / 2.0 / EXCHANGES);
            }
        }
    }

    private static void awaitReceive(final Pair pair)
    {
        do
        {
            await(pair);
        }
        while (pair.completion.opcode() != CompletionOpcode.RECV_RDMA_WITH_IMM);
    }

    private static void await(final Pair pair)
    {
        while (pair.poll() == 0)
        {
            Thread.onSpinWait();
        }
        if (!pair.completion.isSuccess())
        {
            throw new IllegalStateException(pair.completion.status().text());
        }
    }
}
