/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import java.lang.invoke.MethodHandle;

/**
 * A function of the C library with up to six arguments, which leaves errno when it fails. To link a function of a new
 * shape takes Java 10 ms and more, when a rank starts; so all of these have one. Integers and pointers travel as
 * {@code long}, and those that a function does not take as 0: in the ABIs of 64-bit Linux a callee takes the low bits
 * of what it wants, and never sees the rest. Thread-safe; a call allocates, unless the last of the compilers compiled
 * it.
 *
 * @param name   of the function.
 * @param handle of type {@code (MemorySegment, long × 6) long}.
 */
record SystemFunction(String name, MethodHandle handle)
{
    /**
     * Links a function.
     *
     * @param name of it.
     * @return the function.
     * @throws org.tutti.rdma.RdmaException if the C library does not have it.
     */
    static SystemFunction of(final String name)
    {
        return new SystemFunction(name, ForeignCalls.handle(name));
    }

    long call(final long first)
    {
        return call(first, 0, 0, 0, 0, 0);
    }

    long call(final long first, final long second)
    {
        return call(first, second, 0, 0, 0, 0);
    }

    long call(final long first, final long second, final long third)
    {
        return call(first, second, third, 0, 0, 0);
    }

    long call(final long first, final long second, final long third, final long fourth)
    {
        return call(first, second, third, fourth, 0, 0);
    }

    /**
     * Calls it.
     *
     * @return what it returns; of one that returns {@code int}, the low half counts alone.
     */
    long call(
        final long first, final long second, final long third, final long fourth, final long fifth, final long sixth)
    {
        try
        {
            return (long)handle.invokeExact(ForeignCalls.state(), first, second, third, fourth, fifth, sixth);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure(name, t);
        }
    }

    /**
     * What a function that returns {@code int} comes to.
     *
     * @param result of this thread's last call.
     * @return it, or a negative errno.
     */
    static int intOrErrno(final long result)
    {
        return (int)result < 0 ? -ForeignCalls.errno() : (int)result;
    }

    /**
     * What a function that returns 64 bits comes to.
     *
     * @param result of this thread's last call.
     * @return it, or a negative errno.
     */
    static long longOrErrno(final long result)
    {
        return result < 0 ? -ForeignCalls.errno() : result;
    }
}
