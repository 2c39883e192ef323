/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * System calls to wait for descriptors and to wake waiting threads. Functions return their result, or a negative
 * {@code errno}. Thread-safe; allocates nothing after a thread's first call.
 */
public final class PollCalls
{
    /** Size of an entry of a poll set, {@code struct pollfd}, in bytes. */
    public static final int ENTRY_SIZE = 8;

    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int POLLIN = 1;
    private static final long NS_PER_S = 1_000_000_000L;
    private static final NativeFunction POLL = NativeFunction.intOfLibc("poll");
    private static final NativeFunction EVENTFD = NativeFunction.intOfLibc("eventfd");
    private static final NativeFunction WRITE = NativeFunction.longOfLibc("write");
    private static final NativeFunction READ = NativeFunction.longOfLibc("read");

    private PollCalls()
    {
    }

    /** Functions on the data path of providers whose threads sleep until a completion arrives, linked on demand. */
    private static final class Ppoll
    {
        static final MethodHandle PPOLL = NativeFunction.withoutErrno(
            "ppoll", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

        private Ppoll()
        {
        }
    }

    /**
     * Creates an eventfd, which is readable once signaled.
     *
     * @return a non-blocking descriptor, or a negative errno.
     */
    public static int eventDescriptor()
    {
        return (int)NativeFunction.orErrno(EVENTFD.call(0, O_CLOEXEC | O_NONBLOCK));
    }

    /**
     * Signals an eventfd, which makes it readable.
     *
     * @param fd file descriptor from {@link #eventDescriptor}.
     */
    public static void signalEvent(final int fd)
    {
        final long value = Scratch.address();
        UnsafeApi.putLong(value, 1);
        WRITE.call(fd, value, Long.BYTES);
    }

    /**
     * Clears the signals of an eventfd.
     *
     * @param fd file descriptor from {@link #eventDescriptor}.
     */
    public static void drainEvent(final int fd)
    {
        READ.call(fd, Scratch.address(), Long.BYTES);
    }

    /**
     * Waits until descriptors are readable.
     *
     * @param pollSet   address of an array of {@code struct pollfd}, see {@link #putEntry}.
     * @param count     number of entries.
     * @param timeoutMs maximum time to wait, in milliseconds.
     * @return number of ready entries, or a negative errno.
     */
    public static int poll(final long pollSet, final int count, final int timeoutMs)
    {
        return (int)NativeFunction.orErrno(POLL.call(pollSet, count, timeoutMs));
    }

    /**
     * Whether a descriptor is readable; a pidfd is once its process exited.
     *
     * @param fd descriptor of a file, pidfd or eventfd.
     * @return true if it is readable now.
     */
    public static boolean isReadable(final int fd)
    {
        final long pollSet = Scratch.address();
        putEntry(pollSet, 0, fd);
        return poll(pollSet, 1, 0) > 0;
    }

    /**
     * Waits until one of two descriptors is readable, the timeout expires, or a signal arrives.
     *
     * @param first     descriptor.
     * @param second    descriptor.
     * @param timeoutNs maximum time to wait, in nanoseconds; negative for no timeout.
     */
    public static void awaitReadable(final int first, final int second, final long timeoutNs)
    {
        final long pollSet = Scratch.address();
        putEntry(pollSet, 0, first);
        putEntry(pollSet, 1, second);
        final long timespec = pollSet + 2 * ENTRY_SIZE;
        UnsafeApi.putLong(timespec, timeoutNs / NS_PER_S);
        UnsafeApi.putLong(timespec + Long.BYTES, timeoutNs % NS_PER_S);
        try
        {
            final int ignored = (int)Ppoll.PPOLL.invokeExact(pollSet, 2L, timeoutNs < 0 ? 0L : timespec, 0L);
        }
        catch (final Throwable t)
        {
            throw NativeFunction.failure("ppoll", t);
        }
    }

    /**
     * Writes an entry of a poll set, so that {@link #poll} waits until a descriptor is readable.
     *
     * @param pollSet address of the array.
     * @param index   index of the entry.
     * @param fd      descriptor; a negative one is ignored.
     */
    public static void putEntry(final long pollSet, final int index, final int fd)
    {
        final long entry = pollSet + (long)ENTRY_SIZE * index;
        UnsafeApi.putInt(entry, fd);
        UnsafeApi.putInt(entry + Integer.BYTES, POLLIN);
    }

    /**
     * Whether the descriptor of an entry was ready when {@link #poll} returned.
     *
     * @param pollSet address of the array.
     * @param index   index of the entry.
     * @return false if it was not ready.
     */
    public static boolean isReady(final long pollSet, final int index)
    {
        return UnsafeApi.getInt(pollSet + (long)ENTRY_SIZE * index + Integer.BYTES) >>> Short.SIZE != 0;
    }
}
