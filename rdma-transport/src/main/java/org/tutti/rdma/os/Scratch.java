/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A few bytes per thread for structures passed by pointer where no allocation is permitted. */
public final class Scratch
{
    private static final int LENGTH = 64;
    private static final ThreadLocal<MemorySegment> SCRATCH =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LENGTH, Long.BYTES));

    private Scratch()
    {
    }

    /**
     * This thread's scratch bytes, which the next call that uses them overwrites.
     *
     * @return address of {@value #LENGTH} bytes.
     */
    public static long address()
    {
        return SCRATCH.get().address();
    }
}
