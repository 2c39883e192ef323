/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Averages a million numbers over all ranks. */
public final class Average
{
    private Average()
    {
    }

    /**
     * Runs as one of the ranks.
     *
     * @param args not used.
     */
    public static void main(final String[] args)
    {
        try (Communicator world = Communicator.world();
            DataBuffer gradients = world.allocate(DataType.FLOAT32, 1_000_000))
        {
            final MemorySegment floats = gradients.segment();
            floats.setAtIndex(ValueLayout.JAVA_FLOAT, 0, world.rank());

            // Registered memory is sent without staging, and the call allocates nothing.
            world.allreduce(gradients, ReduceOp.AVG);

            // Arrays work too; they are staged through registered memory.
            final double[] loss = {0.5};
            world.allreduce(loss, ReduceOp.SUM);

            if (world.rank() == 0)
            {
                System.out.println(floats.getAtIndex(ValueLayout.JAVA_FLOAT, 0) + " " + loss[0]);
            }
        }
    }
}
