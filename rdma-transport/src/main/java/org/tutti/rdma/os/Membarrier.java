/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

/**
 * The system call {@code membarrier(2)}: a full memory barrier in every running thread of this process, issued by one
 * of them. It moves the cost of a barrier from the fast path of one thread to the rare path of another. Thread-safe.
 */
public final class Membarrier
{
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;
    private static final NativeFunction SYSCALL = NativeFunction.longOfLibc("syscall");
    private static final int NUMBER = number(System.getProperty("os.arch", ""));
    private static final boolean AVAILABLE =
        NUMBER > 0 && call(REGISTER_PRIVATE_EXPEDITED) && call(PRIVATE_EXPEDITED);

    private Membarrier()
    {
    }

    /**
     * Whether the kernel supports the barrier (since Linux 4.14) and permits it to this process.
     *
     * @return true if {@link #passInAllThreads} may be called; constant for the life of the process.
     */
    public static boolean isAvailable()
    {
        return AVAILABLE;
    }

    /** Executes a barrier in every thread. Takes microseconds; requires {@link #isAvailable}. */
    public static void passInAllThreads()
    {
        if (!call(PRIVATE_EXPEDITED))
        {
            throw new IllegalStateException("membarrier failed although it is available: errno=" +
                NativeFunction.errno());
        }
    }

    private static boolean call(final int command)
    {
        return SYSCALL.call(NUMBER, command, 0, 0) == 0;
    }

    private static int number(final String architecture)
    {
        return switch (architecture)
        {
            case "amd64" -> 324;
            case "aarch64", "riscv64" -> 283;
            default -> -1;
        };
    }
}
