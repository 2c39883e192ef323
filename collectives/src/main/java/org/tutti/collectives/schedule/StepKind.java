/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** What a step does; the ordinal is how {@link Schedule} stores it. */
public enum StepKind
{
    /**
     * Writes elements of a local buffer into the peer's SCRATCH or OUTPUT, then arrives there on a channel. It is done
     * for those that depend on it when the local buffer may be written again.
     */
    PUT,
    /**
     * Arrives at the peer on a channel, without data: a credit. When it <i>exposes</i> OUTPUT, or a range of it, it
     * tells the peer where that is: from then on the peer may PUT into it, and REDUCE with this rank's INPUT, or COPY
     * that.
     */
    SIGNAL,
    /**
     * Waits for the next arrival from a peer on a channel: the k-th WAIT of a (peer, channel) matches the peer's k-th
     * PUT or SIGNAL on it. It may <i>check</i> that what the peer exposes is as long as what this rank has for it: of
     * collectives in which each of the two knows its own count only.
     */
    WAIT,
    /**
     * {@code dst[i] = left[i] op right[i]}; when it <i>finishes</i>, the operation's last touch (AVG's division). The
     * right operand may be in INPUT of a peer that has exposed its OUTPUT: where memory of peers can be loaded.
     */
    REDUCE,
    /**
     * {@code dst[i] = src[i]}. The source may be in INPUT of a peer that has exposed its OUTPUT: where memory of peers
     * can be loaded.
     */
    COPY
}
