/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The system calls by which threads wait for each other and for other processes. Functions return their result, or a
 * negative {@code errno}. Thread-safe; after a thread's first call, nothing is allocated.
 */
final class WaitCalls
{
    private static final int O_CLOEXEC = 0x80000;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int POLLIN = 1;
    private static final long SYS_FUTEX = futexNumber(System.getProperty("os.arch"));
    private static final long SYS_PIDFD_OPEN = 434;

    /** Sleeping and waking is part of the data path. */
    private static final MethodHandle FUTEX = ForeignCalls.handleWithoutErrno("syscall", 1, JAVA_LONG, JAVA_LONG,
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private WaitCalls()
    {
    }

    /** What only contexts with peers in other processes call: linked when needed. */
    private static final class Rare
    {
        static final SystemFunction SYSCALL = SystemFunction.of("syscall");
        static final SystemFunction POLL = SystemFunction.of("poll");
        static final SystemFunction EVENTFD = SystemFunction.of("eventfd");
        static final SystemFunction WRITE = SystemFunction.of("write");
        static final SystemFunction READ = SystemFunction.of("read");

        private Rare()
        {
        }
    }

    /**
     * Sleeps while a word holds a value. May return early, for no reason.
     *
     * @param address   of the 4-byte word, in shared memory.
     * @param expected  the value that it sleeps on.
     * @param timeoutNs how long, in nanoseconds.
     */
    static void futexWait(final long address, final int expected, final long timeoutNs)
    {
        final long timespec = ForeignCalls.scratch();
        UnsafeApi.putLong(timespec, timeoutNs / 1_000_000_000L);
        UnsafeApi.putLong(timespec + 8, timeoutNs % 1_000_000_000L);
        try
        {
            final long ignored = (long)FUTEX.invokeExact(
                SYS_FUTEX, address, (long)FUTEX_WAIT, (long)expected, timespec, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("futex", t);
        }
    }

    static void futexWake(final long address)
    {
        try
        {
            final long ignored = (long)FUTEX.invokeExact(
                SYS_FUTEX, address, (long)FUTEX_WAKE, (long)Integer.MAX_VALUE, 0L, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("futex", t);
        }
    }

    static int openProcess(final int pid)
    {
        return SystemFunction.intOrErrno(Rare.SYSCALL.call(SYS_PIDFD_OPEN, pid));
    }

    static int eventDescriptor()
    {
        return SystemFunction.intOrErrno(Rare.EVENTFD.call(0, O_CLOEXEC));
    }

    static void signalEvent(final int fd)
    {
        final long value = ForeignCalls.scratch();
        UnsafeApi.putLong(value, 1);
        Rare.WRITE.call(fd, value, Long.BYTES);
    }

    static void drainEvent(final int fd)
    {
        Rare.READ.call(fd, ForeignCalls.scratch(), Long.BYTES);
    }

    /**
     * Waits until descriptors are readable.
     *
     * @param pollSet   address of an array of {@code struct pollfd}, see {@link #putPollEntry}.
     * @param count     of entries.
     * @param timeoutMs how long, in milliseconds.
     * @return how many are ready, or a negative errno.
     */
    static int poll(final long pollSet, final int count, final int timeoutMs)
    {
        return SystemFunction.intOrErrno(Rare.POLL.call(pollSet, count, timeoutMs));
    }

    /**
     * Whether a descriptor is readable: that of a process is, once it ended.
     *
     * @param fd of it; negative for none.
     * @return false for none.
     */
    static boolean isReadable(final int fd)
    {
        if (fd < 0)
        {
            return false;
        }
        final long pollSet = ForeignCalls.scratch();
        putPollEntry(pollSet, 0, fd);
        return poll(pollSet, 1, 0) > 0;
    }

    static void putPollEntry(final long pollSet, final int index, final int fd)
    {
        UnsafeApi.putInt(pollSet + 8L * index, fd);
        UnsafeApi.putInt(pollSet + 8L * index + 4, POLLIN);
    }

    static boolean isReady(final long pollSet, final int index)
    {
        return UnsafeApi.getInt(pollSet + 8L * index + 4) >>> 16 != 0;
    }

    private static long futexNumber(final String architecture)
    {
        return switch (architecture)
        {
            case "amd64", "x86_64" -> 202;
            case "aarch64", "riscv64" -> 98;
            default -> throw new RdmaException(Errno.EOPNOTSUPP, "ibv_open_device", "shm does not know the system " +
                "calls of '" + architecture + "'; it knows amd64, aarch64 and riscv64");
        };
    }
}
