/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Collectives that return at once, with a {@link Request} to wait for. Arguments and errors are those of the blocking
 * form of the name without the i.
 */
public interface NonblockingCollectives
{
    /**
     * Starts an allreduce.
     *
     * @param input  not to be written until it is done.
     * @param output not to be read or written until it is done.
     * @param op     how elements are combined.
     * @return the request.
     */
    Request iallreduce(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Starts an allreduce in place.
     *
     * @param buffer not to be read or written until it is done.
     * @param op     how elements are combined.
     * @return the request.
     */
    default Request iallreduce(final DataBuffer buffer, final ReduceOp op)
    {
        return iallreduce(buffer, buffer, op);
    }

    /**
     * Starts a broadcast.
     *
     * @param buffer not to be read, except by the root, or written until it is done.
     * @param root   a rank.
     * @return the request.
     */
    Request ibroadcast(DataBuffer buffer, int root);

    /**
     * Starts a barrier.
     *
     * @return the request: done when all ranks have started theirs.
     */
    Request ibarrier();
}
