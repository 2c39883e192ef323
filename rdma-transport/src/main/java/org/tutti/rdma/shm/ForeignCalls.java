/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What calls of the C library have in common. Pointers travel as {@code long}: in the ABIs of Linux they are passed
 * alike. Thread-safe.
 */
final class ForeignCalls
{
    private static final int SCRATCH_LENGTH = 32;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final ThreadLocal<MemorySegment> STATE =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CALL_STATE));
    private static final ThreadLocal<MemorySegment> SCRATCH =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SCRATCH_LENGTH, Long.BYTES));

    private ForeignCalls()
    {
    }

    /** Where the call that is given it leaves errno: this thread's. */
    static MemorySegment state()
    {
        return STATE.get();
    }

    /** A few bytes of this thread's for the structures that calls take by pointer. */
    static long scratch()
    {
        return SCRATCH.get().address();
    }

    /** What this thread's last call left; defined only when that failed. */
    static int errno()
    {
        return STATE.get().get(JAVA_INT, 0);
    }

    static RuntimeException failure(final String function, final Throwable cause)
    {
        return new IllegalStateException("cannot call " + function, cause);
    }

    /**
     * A function that leaves errno where {@link #state()} says, which is its first argument; see {@link SystemFunction}
     * for the others.
     *
     * @param name of it.
     * @return of type {@code (MemorySegment, long × 6) long}, to be called exactly.
     */
    static MethodHandle handle(final String name)
    {
        return LINKER.downcallHandle(find(name), SHAPE, Linker.Option.captureCallState("errno"));
    }

    /**
     * A function whose errno nobody looks at; calling it allocates nothing.
     *
     * @param name          of it.
     * @param firstVariadic the index of the first argument behind the ellipsis.
     * @param result        of it.
     * @param arguments     of it.
     * @return to be called exactly.
     */
    static MethodHandle handleWithoutErrno(
        final String name, final int firstVariadic, final MemoryLayout result, final MemoryLayout... arguments)
    {
        return LINKER.downcallHandle(
            find(name), FunctionDescriptor.of(result, arguments), Linker.Option.firstVariadicArg(firstVariadic));
    }

    private static MemorySegment find(final String name)
    {
        return LINKER.defaultLookup().find(name).orElseThrow(() ->
            new RdmaException(Errno.EOPNOTSUPP, "ibv_open_device",
                "the C library has no '" + name + "'; shm needs Linux with glibc or musl"));
    }
}
