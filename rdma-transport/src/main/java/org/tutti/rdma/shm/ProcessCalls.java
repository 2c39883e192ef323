/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The system calls of processes and their memory. Functions return their result, or a negative {@code errno}.
 * Thread-safe; after a thread's first call, nothing is allocated.
 */
final class ProcessCalls
{
    private static final int PR_SET_PTRACER = 0x59616d61;
    private static final int ENOMEM = 12;
    private static final int MS_ASYNC = 1;

    private static final MethodHandle GETUID = ForeignCalls.handle("getuid", 0, JAVA_INT);

    private ProcessCalls()
    {
    }

    /** What only contexts with memory of users' own call: linked when needed. */
    private static final class Rare
    {
        static final MethodHandle PRCTL =
            ForeignCalls.handle("prctl", 1, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle READV = ForeignCalls.handle("process_vm_readv", 0, JAVA_LONG, JAVA_INT,
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle WRITEV = ForeignCalls.handle("process_vm_writev", 0, JAVA_LONG, JAVA_INT,
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle MSYNC = ForeignCalls.handle("msync", 0, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

        private Rare()
        {
        }
    }

    static int userId()
    {
        try
        {
            return (int)GETUID.invokeExact(ForeignCalls.state());
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("getuid", t);
        }
    }

    /**
     * Whether memory of this process is there, all of it.
     *
     * @param address of the first byte.
     * @param length  in bytes, more than 0.
     * @return false when a byte of it is not mapped.
     */
    static boolean isMapped(final long address, final long length)
    {
        final long start = address & -UnsafeApi.pageSize();
        try
        {
            // With this flag the kernel looks at the mappings and does nothing else.
            final MemorySegment state = ForeignCalls.state();
            return (int)Rare.MSYNC.invokeExact(state, start, address - start + length, MS_ASYNC) == 0 ||
                ForeignCalls.errno(state) != ENOMEM;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("msync", t);
        }
    }

    /** Lets other processes of this user read and write this one's memory, where the Yama module would forbid it. */
    static void allowPeers()
    {
        try
        {
            final int ignored = (int)Rare.PRCTL.invokeExact(ForeignCalls.state(), PR_SET_PTRACER, -1L, 0L, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("prctl", t);
        }
    }

    /**
     * Copies between this process and another.
     *
     * @param write         true towards the other process.
     * @param pid           of the other.
     * @param localAddress  here.
     * @param remoteAddress there.
     * @param length        in bytes.
     * @return how many bytes were copied, or a negative errno.
     */
    static long copyProcess(
        final boolean write, final int pid, final long localAddress, final long remoteAddress, final long length)
    {
        final MemorySegment state = ForeignCalls.state();
        final long vectors = ForeignCalls.scratch();
        UnsafeApi.putLong(vectors, localAddress);
        UnsafeApi.putLong(vectors + 8, length);
        UnsafeApi.putLong(vectors + 16, remoteAddress);
        UnsafeApi.putLong(vectors + 24, length);
        try
        {
            final long copied = write ?
                (long)Rare.WRITEV.invokeExact(state, pid, vectors, 1L, vectors + 16, 1L, 0L) :
                (long)Rare.READV.invokeExact(state, pid, vectors, 1L, vectors + 16, 1L, 0L);
            return copied < 0 ? -ForeignCalls.errno(state) : copied;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("process_vm", t);
        }
    }
}
