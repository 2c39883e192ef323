/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Copies one stream of a rank to the sink, in complete lines, on its own thread. A line is held back until its newline
 * or the end of the stream; a line longer than {@link #MAX_LINE} is passed on in parts, to bound memory.
 */
public final class OutputPump
{
    /** The maximum length of a line that is not split, in bytes. */
    public static final int MAX_LINE = 1 << 24;

    private final int rank;
    private final boolean isError;
    private final InputStream input;
    private final OutputSink sink;
    private final LastLines lastLines;
    private final Consumer<String> onSinkLost;
    private final Thread thread;
    private boolean isSinkLost;
    private volatile boolean isReading;
    private volatile long readingSinceNs;
    private byte[] buffer = new byte[1 << 14];

    /**
     * Creates a pump that reads nothing until it is started.
     *
     * @param rank       the rank that writes the stream.
     * @param isError    whether the stream is its stderr.
     * @param input      the stream, read to its end and then closed.
     * @param sink       the sink of the lines.
     * @param lastLines  the last lines of the rank, updated by the pump.
     * @param onSinkLost called once with the reason why the sink fails; the rest of the input is read and dropped.
     */
    public OutputPump(
        final int rank,
        final boolean isError,
        final InputStream input,
        final OutputSink sink,
        final LastLines lastLines,
        final Consumer<String> onSinkLost)
    {
        this.rank = rank;
        this.isError = isError;
        this.input = input;
        this.sink = sink;
        this.lastLines = lastLines;
        this.onSinkLost = onSinkLost;
        thread = DaemonThread.of("tutti-rank-" + rank + (isError ? "-err" : "-out"), this::run);
    }

    /** Starts reading. */
    public void start()
    {
        thread.start();
    }

    /**
     * Waits until all output is written.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @return false if the timeout expired.
     * @throws InterruptedException if the thread is interrupted.
     */
    public boolean await(final long timeoutMs) throws InterruptedException
    {
        thread.join(Math.max(1, timeoutMs));
        return !thread.isAlive();
    }

    /**
     * Returns whether the stream has been silent for some time. A pump that waits for a slow sink is not quiet.
     *
     * @param durationNs the time in nanoseconds.
     * @return true if the stream was silent for that long.
     */
    public boolean isQuietFor(final long durationNs)
    {
        return isReading && System.nanoTime() - readingSinceNs >= durationNs;
    }

    private void run()
    {
        int used = 0;
        try (input)
        {
            while (true)
            {
                if (used == buffer.length)
                {
                    if (used >= MAX_LINE)
                    {
                        pass(used);
                        used = 0;
                    }
                    else
                    {
                        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
                    }
                }
                readingSinceNs = System.nanoTime();
                isReading = true;
                final int count = input.read(buffer, used, buffer.length - used);
                isReading = false;
                if (count < 0)
                {
                    break;
                }
                used = passLines(used, used + count);
            }
        }
        catch (final IOException ex)
        {
            // The stream was closed in the meantime: the rank has ended, and a process that it left behind held its
            // output open.
            isReading = false;
            lastLines.add("(the rest of its output was lost: " + ex.getMessage() + ")");
        }
        if (used > 0)
        {
            pass(used);
        }
    }

    /**
     * Passes on all bytes up to the last newline, and moves the rest to the front; bytes from {@code seen} on are new.
     */
    private int passLines(final int seen, final int end)
    {
        int last = end;
        while (last > seen && buffer[last - 1] != '\n')
        {
            last--;
        }
        if (last == seen)
        {
            return end;
        }
        pass(last);
        System.arraycopy(buffer, last, buffer, 0, end - last);
        return end - last;
    }

    private void pass(final int end)
    {
        lastLines.add(buffer, 0, end);
        if (isSinkLost)
        {
            return;
        }
        try
        {
            sink.write(rank, isError, buffer, 0, end);
        }
        catch (final IOException ex)
        {
            isSinkLost = true;
            onSinkLost.accept(ex.getMessage());
        }
    }
}
