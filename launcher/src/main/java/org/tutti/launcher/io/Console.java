/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.tutti.launcher.Terminal;

/**
 * The launcher's stdout and stderr, shared by all ranks and the launcher. One lock protects both, as they are often one
 * terminal. Bytes pass unchanged, except for line tags and for a newline that is added if a line follows an
 * unterminated one.
 */
public final class Console implements OutputSink
{
    private static final byte NEWLINE = '\n';
    private static final int COLOURS = 6;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS ");

    private static final long LOCK_TIMEOUT_MS = 500;
    private static final long SAY_TIMEOUT_MS = 700;
    private static final String[] NAMES = {"stdout", "stderr"};

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream[] streams = {
        new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err)};
    private final boolean[] isMidLine = new boolean[streams.length];
    private final String[] targets = {Terminal.target(1), Terminal.target(2)};
    private final boolean[] isColoured = {isColoured(1), isColoured(2)};
    private final boolean isSameFile = targets[0].equals(targets[1]);
    private final boolean isTagged;
    private final boolean isTimed;
    /** The number of threads now writing to each stream; stays above 0 only if the stream is not read. */
    private final AtomicIntegerArray writers = new AtomicIntegerArray(streams.length);
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final AtomicInteger unwritten = new AtomicInteger();
    private byte[] tagged = new byte[1 << 13];

    /**
     * Creates the console of this process.
     *
     * @param isTagged whether each line of a rank is prefixed with the rank.
     * @param isTimed  whether each line of a rank is prefixed with the time.
     */
    public Console(final boolean isTagged, final boolean isTimed)
    {
        this.isTagged = isTagged;
        this.isTimed = isTimed;
    }

    /** Returns whether a stream of this process is a terminal that shows colours. */
    static boolean isColoured(final int descriptor)
    {
        final String noColor = System.getenv("NO_COLOR");
        return (noColor == null || noColor.isEmpty()) && !"dumb".equals(System.getenv("TERM")) &&
            Terminal.isTerminal(descriptor);
    }

    /**
     * Prints a message of the launcher on stderr, in complete lines. Returns when the message is written, or after a
     * short time if stderr is not read: that must not delay the end of the job.
     *
     * @param text the message, without the final newline.
     */
    public void say(final String text)
    {
        said.add(text);
        if (unwritten.getAndIncrement() == 0)
        {
            DaemonThread.of("tutti-say", this::writeSaid).start();
        }
        try
        {
            awaitMessages(SAY_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until all messages of the launcher are written.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @return false if the timeout expired.
     * @throws InterruptedException if the thread is interrupted.
     */
    public boolean awaitMessages(final long timeoutMs) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        synchronized (unwritten)
        {
            long leftMs = timeoutMs;
            while (unwritten.get() > 0 && leftMs > 0)
            {
                unwritten.wait(leftMs);
                leftMs = timeoutMs - (System.nanoTime() - startNs) / 1_000_000;
            }
        }
        return unwritten.get() == 0;
    }

    /**
     * Returns the streams that are currently not read.
     *
     * @return the names of the streams, such as "stdout and stderr", or null if all are read.
     */
    public String blocked()
    {
        final String blocked = IntStream.range(0, NAMES.length).filter(stream -> writers.get(stream) > 0)
            .mapToObj(stream -> NAMES[stream]).collect(Collectors.joining(" and "));
        return blocked.isEmpty() ? null : blocked;
    }

    private void writeSaid()
    {
        int left;
        do
        {
            writeMessage(said.remove());
            synchronized (unwritten)
            {
                left = unwritten.decrementAndGet();
                unwritten.notifyAll();
            }
        }
        while (left > 0);
    }

    private void writeMessage(final String text)
    {
        final byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        final boolean isLocked = lockForMessage();
        try
        {
            writeLines(1, bytes, 0, bytes.length);
        }
        catch (final IOException ex)
        {
            // Stderr is closed: there is no other target for the message.
            isMidLine[1] = false;
        }
        finally
        {
            if (isLocked)
            {
                lock.unlock();
            }
        }
    }

    /**
     * Acquires the lock with a timeout: the writer of a rank's output may hold it while the console is read slowly, and
     * messages of the launcher must not wait for that. After the timeout, they are written without the lock.
     */
    private boolean lockForMessage()
    {
        try
        {
            return lock.tryLock(LOCK_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void write(
        final int rank, final boolean isError, final byte[] bytes, final int offset, final int length)
        throws IOException
    {
        lock.lock();
        try
        {
            writeTagged(rank, isError ? 1 : 0, bytes, offset, length);
        }
        finally
        {
            lock.unlock();
        }
    }

    private void writeTagged(
        final int rank, final int stream, final byte[] bytes, final int offset, final int length) throws IOException
    {
        if (!isTagged && !isTimed)
        {
            writeLines(stream, bytes, offset, length);
            return;
        }
        final byte[] tag = tag(rank, stream);
        int used = 0;
        final int end = offset + length;
        int from = offset;
        while (from < end)
        {
            int to = from;
            while (to < end && bytes[to] != NEWLINE)
            {
                to++;
            }
            to = Math.min(end, to + 1);
            final int needed = used + tag.length + to - from;
            if (needed > tagged.length)
            {
                final byte[] larger = new byte[Math.max(needed, 2 * tagged.length)];
                System.arraycopy(tagged, 0, larger, 0, used);
                tagged = larger;
            }
            System.arraycopy(tag, 0, tagged, used, tag.length);
            System.arraycopy(bytes, from, tagged, used + tag.length, to - from);
            used = needed;
            from = to;
        }
        writeLines(stream, tagged, 0, used);
    }

    private byte[] tag(final int rank, final int stream)
    {
        final StringBuilder tag = new StringBuilder();
        if (isTimed)
        {
            tag.append(LocalTime.now(ZoneId.systemDefault()).format(TIME));
        }
        if (isTagged)
        {
            tag.append(isColoured[stream] ? "\033[3" + (1 + rank % COLOURS) + "m" : "")
                .append('[').append(rank).append(']').append(isColoured[stream] ? "\033[0m " : " ");
        }
        return tag.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void writeLines(final int stream, final byte[] bytes, final int offset, final int length) throws IOException
    {
        writers.incrementAndGet(stream);
        try
        {
            if (isMidLine[stream] || (isSameFile && isMidLine[1 - stream]))
            {
                streams[stream].write(NEWLINE);
                isMidLine[1 - stream] &= !isSameFile;
            }
            streams[stream].write(bytes, offset, length);
            isMidLine[stream] = bytes[offset + length - 1] != NEWLINE;
        }
        catch (final IOException ex)
        {
            // Writing to a pipe fails only if its reader has closed it.
            final boolean isPipe = targets[stream].startsWith("pipe:") || targets[stream].startsWith("socket:");
            throw new IOException(
                isPipe ? "" : targets[stream] + ": " + ex.getMessage() + ": free space, or redirect the output", ex);
        }
        finally
        {
            writers.decrementAndGet(stream);
        }
    }

    @Override
    public void close()
    {
        // The streams of the process stay open.
    }
}
