/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** Kinds of steps. {@link Schedule} stores the ordinal. */
public enum StepKind
{
    /**
     * Writes elements of a local buffer into SCRATCH or OUTPUT of the peer, then arrives there on a channel. Steps that
     * depend on it may begin when the local buffer may be overwritten; the data may arrive later.
     */
    PUT,
    /**
     * Arrives at the peer on a channel without data: a credit. If it <i>exposes</i> OUTPUT or a range of it (ready to
     * receive), the peer learns the range's location; from then on, the peer may PUT into that range, and read this
     * rank's INPUT in a REDUCE or COPY. If it <i>announces</i> a block, the peer learns the block's length.
     */
    SIGNAL,
    /**
     * Waits for the next arrival from a peer on a channel: the k-th WAIT of a (peer, channel) matches the peer's k-th
     * PUT or SIGNAL to this rank on that channel. It may <i>check</i> that the count of the peer equals the count of
     * this rank, in collectives where each of the two ranks knows only its own count.
     */
    WAIT,
    /**
     * {@code dst[i] = left[i] op right[i]}. If it <i>finishes</i>, it also completes the operation, such as the
     * division of AVG. The right operand may be in INPUT of a peer that has exposed its OUTPUT, if this rank can load
     * the peer's memory.
     */
    REDUCE,
    /**
     * {@code dst[i] = src[i]}. The source may be in INPUT of a peer that has exposed its OUTPUT, if this rank can load
     * the peer's memory.
     */
    COPY
}
