/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Collectives that are set up once, on this rank alone, and then started any number of times. Arguments and errors are
 * those of the blocking form of the name without Init; the buffers cannot be closed before the request is.
 */
public interface PersistentCollectives
{
    /**
     * An allreduce.
     *
     * @param input  read.
     * @param output of the same type and count; may be the same buffer.
     * @param op     how elements are combined.
     * @return not started; owned by the caller.
     */
    PersistentRequest allreduceInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * An allreduce in place.
     *
     * @param buffer input and output.
     * @param op     how elements are combined.
     * @return not started; owned by the caller.
     */
    default PersistentRequest allreduceInit(final DataBuffer buffer, final ReduceOp op)
    {
        return allreduceInit(buffer, buffer, op);
    }

    /**
     * A broadcast.
     *
     * @param buffer read on the root, written on the others.
     * @param root   a rank.
     * @return not started; owned by the caller.
     */
    PersistentRequest broadcastInit(DataBuffer buffer, int root);

    /**
     * A barrier.
     *
     * @return not started; owned by the caller.
     */
    PersistentRequest barrierInit();
}
