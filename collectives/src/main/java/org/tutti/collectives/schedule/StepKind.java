/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** Kinds of steps. {@link Schedule} stores the ordinal. */
public enum StepKind
{
    /**
     * Writes elements of a local buffer into SCRATCH or OUTPUT of the peer, then arrives there on a channel. For
     * dependent steps it is done when the local buffer may be overwritten.
     */
    PUT,
    /**
     * Arrives at the peer on a channel without data: a credit. If it <i>exposes</i> OUTPUT or a range of it (ready to
     * receive), the peer learns its location: from then on it may PUT into that range, and REDUCE with or COPY this
     * rank's INPUT. If it <i>announces</i> a block, the peer learns its length.
     */
    SIGNAL,
    /**
     * Waits for the next arrival from a peer on a channel: the k-th WAIT of a (peer, channel) matches the peer's k-th
     * PUT or SIGNAL on it. It may <i>check</i> that the count of the peer equals the count of this rank, in collectives
     * where each of the two knows only its own.
     */
    WAIT,
    /**
     * {@code dst[i] = left[i] op right[i]}. If it <i>finishes</i>, it also completes the operation, such as the
     * division of AVG. The right operand may be in INPUT of a peer that has exposed its OUTPUT, if its memory can be
     * loaded.
     */
    REDUCE,
    /**
     * {@code dst[i] = src[i]}. The source may be in INPUT of a peer that has exposed its OUTPUT, if its memory can be
     * loaded.
     */
    COPY
}
