/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Schedule;

/**
 * Numbers of the channels between two ranks, by use. Arrivals on one channel are matched by order alone, so each kind
 * of message has its own channel.
 */
final class Channels
{
    /** Elements, from the previous rank or the parent. */
    static final int DATA = 0;
    /** A credit: allows the sender of elements to send more. */
    static final int CREDIT = 1;
    /** OUTPUT is exposed: the peer may write to it. */
    static final int EXPOSE = 2;
    /** An eager block, or the length of a longer one. */
    static final int EAGER = Schedule.EAGER_CHANNEL;
    /** Elements on their way to the root of a tree; one channel per tree. */
    static final int UP = 4;
    /** Credits for elements on their way to the root; one channel per tree. */
    static final int UP_CREDIT = 6;
    /** Elements on their way from the root; one channel per tree. */
    static final int DOWN = 8;
    /** Credits for elements on their way from the root; one channel per tree. */
    static final int DOWN_CREDIT = 10;

    private Channels()
    {
    }
}
