/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/** Processors on which a thread may run (Linux: {@code sched_setaffinity(2)}). */
public final class ProcessorAffinity
{
    /** Number of processors of a mask. */
    private static final int PROCESSORS = 8192;
    private static final NativeFunction SCHED_SETAFFINITY = NativeFunction.intOfLibc("sched_setaffinity");
    private static final NativeFunction SCHED_GETAFFINITY = NativeFunction.intOfLibc("sched_getaffinity");

    private ProcessorAffinity()
    {
    }

    /**
     * Returns whether a processor exists and the calling thread may run on it.
     *
     * @param processor number of the processor, from 0 to 8191.
     */
    public static boolean mayUse(final int processor)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(PROCESSORS / Byte.SIZE, Long.BYTES);
            return SCHED_GETAFFINITY.call(0, mask.byteSize(), mask.address(), 0) >= 0 &&
                (mask.get(JAVA_BYTE, processor / Byte.SIZE) & 1 << (processor % Byte.SIZE)) != 0;
        }
    }

    /**
     * Restricts the calling thread, which must be a platform thread, to one processor.
     *
     * @param processor number of the processor, from 0 to 8191.
     * @return whether the processor exists and this process may use it.
     */
    public static boolean pinThread(final int processor)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(PROCESSORS / Byte.SIZE, Long.BYTES);
            mask.set(JAVA_BYTE, processor / Byte.SIZE, (byte)(1 << (processor % Byte.SIZE)));
            return SCHED_SETAFFINITY.call(0, mask.byteSize(), mask.address(), 0) == 0;
        }
    }
}
