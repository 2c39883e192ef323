/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Two messages that a rank exchanges with a rank of another host on behalf of both hosts. What it sends has the blocks
 * of all ranks of its host for a range of ranks of the other host; what it receives has the blocks of all ranks of the
 * other host for a range of ranks of its own host.
 *
 * @param host         the other host.
 * @param peer         rank on the other host.
 * @param sentFrom     index, on the other host, of the first rank that blocks are sent for.
 * @param sentTo       index after the last.
 * @param receivedFrom index, on the own host, of the first rank that blocks are received for.
 * @param receivedTo   index after the last.
 */
public record HostExchange(int host, int peer, int sentFrom, int sentTo, int receivedFrom, int receivedTo)
{
    /**
     * Whether blocks are received for a rank of the own host.
     *
     * @param index index of the rank on its host.
     * @return true if the rank is in the range.
     */
    public boolean receivesFor(final int index)
    {
        return receivedFrom <= index && index < receivedTo;
    }
}
