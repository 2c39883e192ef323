/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;

/**
 * System calls for processes and their memory. Functions return their result, or a negative {@code errno}. Thread-safe;
 * allocates nothing after a thread's first call.
 */
public final class ProcessCalls
{
    private static final int PR_SET_PTRACER = 0x59616d61;
    private static final long SYS_PIDFD_OPEN = 434;
    private static final NativeFunction GETUID = NativeFunction.intOfLibc("getuid");

    private ProcessCalls()
    {
    }

    /** Functions for peers in other processes and for user memory, linked on demand. */
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
     * The user of this process.
     *
     * @return the real user ID.
     */
    public static int userId()
    {
        return (int)GETUID.call(0);
    }

    /**
     * Opens a pidfd, which is readable once the process exited.
     *
     * @param pid process ID of the process.
     * @return a descriptor, or a negative errno.
     */
    public static int openProcess(final int pid)
    {
        return (int)NativeFunction.orErrno(Rare.SYSCALL.call(SYS_PIDFD_OPEN, pid));
    }

    /**
     * Permits other processes of this user to read and write the memory of this one where the Yama module would forbid
     * it.
     */
    public static void allowPeers()
    {
        Rare.PRCTL.call(PR_SET_PTRACER, -1);
    }

    /**
     * Copies between this process and another.
     *
     * @param write         true to copy to the other process.
     * @param pid           process ID of the other process.
     * @param localAddress  address in this process.
     * @param remoteAddress address in the other process.
     * @param length        length in bytes.
     * @return number of bytes copied, or a negative errno.
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
