/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;

/**
 * The system calls of processes and their memory. Functions return their result, or a negative {@code errno}.
 * Thread-safe; after a thread's first call, nothing is allocated.
 */
public final class ProcessCalls
{
    private static final int PR_SET_PTRACER = 0x59616d61;
    private static final long SYS_PIDFD_OPEN = 434;
    private static final NativeFunction GETUID = NativeFunction.intOfLibc("getuid");

    private ProcessCalls()
    {
    }

    /** What only contexts with peers in other processes, or with memory of users' own, call: linked when needed. */
    private static final class Rare
    {
        static final NativeFunction SYSCALL = NativeFunction.longOfLibc("syscall");
        static final NativeFunction PRCTL = NativeFunction.intOfLibc("prctl");
        static final NativeFunction READV = NativeFunction.longOfLibc("process_vm_readv");
        static final NativeFunction WRITEV = NativeFunction.longOfLibc("process_vm_writev");

        private Rare()
        {
        }
    }

    /**
     * The user that this process runs as.
     *
     * @return the real user id.
     */
    public static int userId()
    {
        return (int)GETUID.call(0);
    }

    /**
     * Opens a descriptor that is readable once a process ended.
     *
     * @param pid process ID of the process.
     * @return a descriptor, or a negative errno.
     */
    public static int openProcess(final int pid)
    {
        return (int)NativeFunction.orErrno(Rare.SYSCALL.call(SYS_PIDFD_OPEN, pid));
    }

    /** Lets other processes of this user read and write this one's memory, where the Yama module would forbid it. */
    public static void allowPeers()
    {
        Rare.PRCTL.call(PR_SET_PTRACER, -1);
    }

    /**
     * Copies between this process and another.
     *
     * @param write         true towards the other process.
     * @param pid           process ID of the other.
     * @param localAddress  here.
     * @param remoteAddress there.
     * @param length        length in bytes.
     * @return how many bytes were copied, or a negative errno.
     */
    public static long copyProcess(
        final boolean write, final int pid, final long localAddress, final long remoteAddress, final long length)
    {
        final long vectors = Scratch.address();
        UnsafeApi.putLong(vectors, localAddress);
        UnsafeApi.putLong(vectors + 8, length);
        UnsafeApi.putLong(vectors + 16, remoteAddress);
        UnsafeApi.putLong(vectors + 24, length);
        return NativeFunction.orErrno(write ?
            Rare.WRITEV.call(pid, vectors, 1, vectors + 16, 1, 0) :
            Rare.READV.call(pid, vectors, 1, vectors + 16, 1, 0));
    }
}
