/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * A socket that this process inherited, by its file descriptor. Java cannot open it: {@code /proc/self/fd} has no
 * sockets that can be opened again. Each call has a deadline. Does not close the descriptor. For one thread at a time.
 */
final class Descriptor implements PmiConnection
{
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle READ = link("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WRITE = link("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle POLL = link("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    private static final int EINTR = 4;
    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;
    /** {@code struct pollfd}: the descriptor, the requested and the returned events. */
    private static final int POLLFD_LENGTH = 8;
    private static final int EVENTS_OFFSET = 4;
    /** A wait is interrupted within this time. */
    private static final int POLL_MS = 50;

    private final int descriptor;
    private final long startNs = System.nanoTime();
    private final long timeoutNs;

    Descriptor(final int descriptor, final long timeoutNs)
    {
        this.descriptor = descriptor;
        this.timeoutNs = timeoutNs;
    }

    private static MethodHandle link(final String name, final MemoryLayout result, final MemoryLayout... arguments)
    {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name),
            FunctionDescriptor.of(result, arguments), Linker.Option.captureCallState("errno"));
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException
    {
        await(POLLIN);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment state = arena.allocate(STATE);
            final MemorySegment buffer = arena.allocate(length);
            final long count = (long)READ.invokeExact(state, descriptor, buffer, (long)length);
            if (count < 0)
            {
                throw failure("read", state);
            }
            MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, offset, (int)count);
            return (int)count;
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException("cannot call read", ex);
        }
    }

    @Override
    public void write(final byte[] bytes) throws IOException
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment state = arena.allocate(STATE);
            final MemorySegment buffer = arena.allocate(bytes.length);
            MemorySegment.copy(bytes, 0, buffer, JAVA_BYTE, 0, bytes.length);
            long done = 0;
            while (done < bytes.length)
            {
                await(POLLOUT);
                final long count =
                    (long)WRITE.invokeExact(state, descriptor, buffer.asSlice(done), bytes.length - done);
                if (count < 0)
                {
                    throw failure("write", state);
                }
                done += count;
            }
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException("cannot call write", ex);
        }
    }

    /** Waits until a call does not block, or fails at once. */
    private void await(final short events) throws IOException
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment state = arena.allocate(STATE);
            final MemorySegment poll = arena.allocate(POLLFD_LENGTH, Integer.BYTES);
            while (true)
            {
                poll.set(JAVA_INT, 0, descriptor);
                poll.set(JAVA_SHORT, EVENTS_OFFSET, events);
                final int ready = (int)POLL.invokeExact(state, poll, 1L, POLL_MS);
                if (ready > 0)
                {
                    return;
                }
                if (ready < 0 && (int)ERRNO.get(state, 0L) != EINTR)
                {
                    throw failure("poll", state);
                }
                if (Thread.currentThread().isInterrupted())
                {
                    throw new InterruptedIOException("interrupted");
                }
                if (System.nanoTime() - startNs >= timeoutNs)
                {
                    throw new SocketTimeoutException(
                        "no answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
                }
            }
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException("cannot call poll", ex);
        }
    }

    private IOException failure(final String call, final MemorySegment state)
    {
        return new IOException(call + " of descriptor " + descriptor + " failed with errno " + ERRNO.get(state, 0L));
    }
}
