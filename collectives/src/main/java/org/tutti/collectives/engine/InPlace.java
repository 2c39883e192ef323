/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;

/** Whether a call works in place: by where its buffers are. */
final class InPlace
{
    private InPlace()
    {
    }

    /**
     * Whether INPUT and OUTPUT begin at the same place, or, where one is a block, at this rank's block of the other.
     *
     * @param blocks of the buffer that has some, or null for blocks of one length, of which count is that.
     */
    static boolean is(
        final Collective collective, final int rank, final DataType type, final long count, final Blocks blocks,
        final RegisteredBuffer input, final RegisteredBuffer output)
    {
        final long own = type == null ? 0 : type.size() * (blocks == null ? rank * count : blocks.offset(rank));
        return switch (collective)
        {
            case ALLGATHER, GATHER, GATHERV -> input.address() == output.address() + own;
            case REDUCE_SCATTER, SCATTER, SCATTERV -> output.address() == input.address() + own;
            default -> input.address() == output.address();
        };
    }
}
