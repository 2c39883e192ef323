/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/** Futex system calls on words of shared memory. Thread-safe; allocates nothing after a thread's first call. */
public final class WaitCalls
{
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final long NS_PER_S = 1_000_000_000L;
    private static final long SYS_FUTEX = futexNumber(System.getProperty("os.arch"));
    /** Linked without capture of errno, which would allocate: sleeping and waking are part of the data path. */
    private static final MethodHandle FUTEX = NativeFunction.withoutErrno("syscall", FunctionDescriptor.of(
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.firstVariadicArg(1));

    private WaitCalls()
    {
    }

    /**
     * Sleeps while a word holds a value. May wake up spuriously.
     *
     * @param address   address of the 4-byte word, in shared memory.
     * @param expected  value that the word must have for the thread to sleep.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     */
    public static void futexWait(final long address, final int expected, final long timeoutNs)
    {
        final long timespec = Scratch.address();
        UnsafeApi.putLong(timespec, timeoutNs / NS_PER_S);
        UnsafeApi.putLong(timespec + Long.BYTES, timeoutNs % NS_PER_S);
        try
        {
            final long ignored = (long)FUTEX.invokeExact(
                SYS_FUTEX, address, (long)FUTEX_WAIT, (long)expected, timespec, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw NativeFunction.failure("futex", t);
        }
    }

    /**
     * Wakes all threads that sleep on a word.
     *
     * @param address address of the 4-byte word, in shared memory.
     */
    public static void futexWake(final long address)
    {
        try
        {
            final long ignored = (long)FUTEX.invokeExact(
                SYS_FUTEX, address, (long)FUTEX_WAKE, (long)Integer.MAX_VALUE, 0L, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw NativeFunction.failure("futex", t);
        }
    }

    private static long futexNumber(final String architecture)
    {
        return switch (architecture)
        {
            case "amd64", "x86_64" -> 202;
            case "aarch64", "riscv64" -> 98;
            default -> throw new RdmaException(Errno.EOPNOTSUPP, "ibv_open_device", "shm does not support " +
                "architecture '" + architecture + "', only amd64, aarch64 and riscv64");
        };
    }
}
