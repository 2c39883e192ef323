/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

/**
 * What the channels between two ranks are for. Only arrivals on one channel are told apart by their order; a rank that
 * sends two kinds of things to a peer uses two.
 */
final class Channels
{
    /** Elements, from the rank before or above. */
    static final int DATA = 0;
    /** Room for elements, back to where they come from. */
    static final int CREDIT = 1;
    /** OUTPUT may be written. */
    static final int EXPOSE = 2;
    /** A block, or how long it is, before the peer is heard from. */
    static final int EAGER = 3;
    /** Elements on their way to the root of a tree; one channel per tree from here. */
    static final int UP = 4;
    /** Room for elements on their way to the root. */
    static final int UP_CREDIT = 6;
    /** Elements on their way from the root. */
    static final int DOWN = 8;
    /** Room for elements on their way from the root. */
    static final int DOWN_CREDIT = 10;

    private Channels()
    {
    }
}
