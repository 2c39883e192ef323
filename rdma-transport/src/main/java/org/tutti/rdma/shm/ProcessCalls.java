/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

/**
 * The system calls of processes and their memory. Functions return their result, or a negative {@code errno}.
 * Thread-safe; after a thread's first call, nothing is allocated.
 */
final class ProcessCalls
{
    private static final int PR_SET_PTRACER = 0x59616d61;
    private static final int ENOMEM = 12;
    private static final int MS_ASYNC = 1;

    private static final SystemFunction GETUID = SystemFunction.of("getuid");

    private ProcessCalls()
    {
    }

    /** What only contexts with memory of users' own call: linked when needed. */
    private static final class Rare
    {
        static final SystemFunction PRCTL = SystemFunction.of("prctl");
        static final SystemFunction READV = SystemFunction.of("process_vm_readv");
        static final SystemFunction WRITEV = SystemFunction.of("process_vm_writev");
        static final SystemFunction MSYNC = SystemFunction.of("msync");

        private Rare()
        {
        }
    }

    static int userId()
    {
        return (int)GETUID.call(0);
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
        // With this flag the kernel looks at the mappings and does nothing else.
        return (int)Rare.MSYNC.call(start, address - start + length, MS_ASYNC) == 0 || ForeignCalls.errno() != ENOMEM;
    }

    /** Lets other processes of this user read and write this one's memory, where the Yama module would forbid it. */
    static void allowPeers()
    {
        Rare.PRCTL.call(PR_SET_PTRACER, -1);
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
        final long vectors = ForeignCalls.scratch();
        UnsafeApi.putLong(vectors, localAddress);
        UnsafeApi.putLong(vectors + 8, length);
        UnsafeApi.putLong(vectors + 16, remoteAddress);
        UnsafeApi.putLong(vectors + 24, length);
        return SystemFunction.longOrErrno(write ?
            Rare.WRITEV.call(pid, vectors, 1, vectors + 16, 1, 0) :
            Rare.READV.call(pid, vectors, 1, vectors + 16, 1, 0));
    }
}
