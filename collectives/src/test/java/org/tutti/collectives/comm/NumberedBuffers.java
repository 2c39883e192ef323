/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;

import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Buffers whose content identifies the buffer and its rank. */
final class NumberedBuffers
{
    private NumberedBuffers()
    {
    }

    /** Allocates a number of buffers, the i-th as {@link #filled}. */
    static List<DataBuffer> allocate(final Communicator communicator, final int count)
    {
        final List<DataBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            buffers.add(filled(communicator, i));
        }
        return buffers;
    }

    /** Allocates the i-th buffer, with a length and content of its own. */
    static DataBuffer filled(final Communicator communicator, final int i)
    {
        final DataBuffer buffer = communicator.allocate(DataType.INT32, 1 + 7L * i * i);
        for (long element = 0; element < buffer.count(); element++)
        {
            buffer.segment().setAtIndex(JAVA_INT, element, (int)element + i + communicator.rank());
        }
        return buffer;
    }

    /** Checks the sum of the i-th buffers of all ranks. */
    static void requireSum(final int i, final int size, final DataBuffer buffer)
    {
        for (long element = 0; element < buffer.count(); element++)
        {
            assertEquals(size * ((int)element + i) + size * (size - 1) / 2,
                buffer.segment().getAtIndex(JAVA_INT, element));
        }
    }
}
