/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

/** A message in the queues of {@link MatchingQueues}: it is in the queue of its source, and in that of all. */
abstract class UnexpectedMessage
{
    UnexpectedMessage previousOfSource;
    UnexpectedMessage nextOfSource;
    UnexpectedMessage previousOfAll;
    UnexpectedMessage nextOfAll;

    /** Returns the rank that sent the message. */
    abstract int source();

    abstract int tag();
}
