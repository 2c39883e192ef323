/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A few bytes per thread for the structures that calls take by pointer, where nothing may be allocated. */
final class Scratch
{
    static final int LENGTH = 64;

    private static final ThreadLocal<MemorySegment> SCRATCH =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LENGTH, 8));

    private Scratch()
    {
    }

    static long address()
    {
        return SCRATCH.get().address();
    }
}
