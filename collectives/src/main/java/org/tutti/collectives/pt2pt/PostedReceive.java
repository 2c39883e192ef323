/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

/** A receive in the queues of {@link MatchingQueues}. */
abstract class PostedReceive
{
    /** The order of posting, by which receives from one rank and from any rank are compared. */
    long order;
    boolean isPosted;
    PostedReceive previousPosted;
    PostedReceive nextPosted;

    /** Returns the rank from which messages match, or {@link org.tutti.collectives.PointToPoint#ANY_SOURCE}. */
    abstract int source();

    /** Returns the tag of messages that match, or {@link org.tutti.collectives.PointToPoint#ANY_TAG}. */
    abstract int tag();
}
