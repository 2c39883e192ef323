/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes calls that cannot complete while a process is stopped: a target for {@link StallTest}. A rank writes its
 * results to files, because a stopped launcher forwards no output.
 */
public final class StallTarget
{
    private static final int COUNT = 1000;
    /** Longer than the heartbeat timeout of {@link StallTest}. */
    private static final long PAUSE_NS = 4_000_000_000L;
    private static final long LEAST_PAUSE_MS = 2_000;

    private StallTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments call to make, directory of the files, and timeout of the call in seconds.
     * @throws IOException if a file cannot be written.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Path directory = Path.of(arguments[1]);
        final Duration timeout = Duration.ofSeconds(Long.parseLong(arguments[2]));
        try (Communicator communicator = Communicator.world();
            DataBuffer buffer = communicator.allocate(DataType.INT32, COUNT);
            Window window = communicator.window(buffer))
        {
            final int rank = communicator.rank();
            say(directory, "ready." + rank, "");
            while (!Files.exists(directory.resolve("go")))
            {
                LockSupport.parkNanos(1_000_000);
            }
            final long startNs = System.nanoTime();
            try
            {
                call(arguments[0], communicator.withTimeout(timeout), buffer, window.withTimeout(timeout));
                say(directory, "done." + rank, "");
            }
            catch (final CollectiveException e)
            {
                say(directory, "failed." + rank, (System.nanoTime() - startNs) / 1_000_000 + " ms, " +
                    e.getClass().getSimpleName() + ", peer " + e.peer() + ": " + e.getMessage());
                throw e;
            }
        }
    }

    private static void call(
        final String what, final Communicator communicator, final DataBuffer buffer, final Window window)
    {
        final int rank = communicator.rank();
        switch (what)
        {
            case "dup" -> communicator.dup().close();
            case "send" ->
            {
                if (rank == 0)
                {
                    communicator.send(buffer, 1);
                }
                else
                {
                    communicator.recv(buffer, 0);
                }
            }
            case "put" ->
            {
                if (rank == 0)
                {
                    window.putSignal(buffer, 0, COUNT, 1, 0, 0);
                    window.flush();
                }
                else
                {
                    window.waitSignal(0, 0, 1);
                }
            }
            case "allreduce" ->
            {
                while (true)
                {
                    communicator.allreduce(buffer, ReduceOp.MAX);
                }
            }
            case "pause" ->
            {
                communicator.barrier();
                final Pause pause = Pause.begin();
                // Repeated, because the collection does not start while the JVM waits for this thread for another
                // reason.
                while (rank == 1 && pause.longestMs() < LEAST_PAUSE_MS)
                {
                    System.out.println("computed " + pause.computeWithoutSafepoint(PAUSE_NS));
                }
                communicator.barrier();
                System.out.println("longest pause of rank " + rank + ": " + pause.longestMs());
            }
            default -> throw new IllegalArgumentException(what);
        }
    }

    private static void say(final Path directory, final String name, final String text) throws IOException
    {
        final Path draft = Files.writeString(directory.resolve("draft." + name), text);
        Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Stops all Java threads of this process for a while, as a long collection does, and measures the duration. */
    private static final class Pause
    {
        private volatile long longestNs;

        static Pause begin()
        {
            final Pause pause = new Pause();
            final Thread clock = new Thread(pause::measure, "clock");
            clock.setDaemon(true);
            clock.start();
            return pause;
        }

        private void measure()
        {
            long lastNs = System.nanoTime();
            while (true)
            {
                LockSupport.parkNanos(1_000_000);
                final long nowNs = System.nanoTime();
                longestNs = Math.max(longestNs, nowNs - lastNs);
                lastNs = nowNs;
            }
        }

        /** A counted loop has no safepoint when compiled: a collection, and all threads, wait for its end. */
        long computeWithoutSafepoint(final long pauseNs)
        {
            final int trial = 1_000_000;
            long result = 0;
            long fastestNs = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++)
            {
                final long startNs = System.nanoTime();
                result += divide(trial, result);
                fastestNs = Math.min(fastestNs, System.nanoTime() - startNs);
            }
            final int loops = (int)Math.min(Integer.MAX_VALUE, trial * pauseNs / fastestNs);
            final AtomicBoolean isOver = new AtomicBoolean();
            final Thread collecting = new Thread(() -> collectUntil(isOver), "collecting");
            collecting.setDaemon(true);
            collecting.start();
            result += divide(loops, result);
            isOver.set(true);
            return result;
        }

        /** Repeats collections: the first may end before the loop is entered. */
        private static void collectUntil(final AtomicBoolean isOver)
        {
            while (!isOver.get())
            {
                System.gc();
            }
        }

        private static long divide(final int loops, final long start)
        {
            long value = start;
            for (int i = 0; i < loops; i++)
            {
                value = Long.MAX_VALUE / (value | 1) + i;
            }
            return value;
        }

        long longestMs()
        {
            return longestNs / 1_000_000;
        }
    }
}
