/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;

/**
 * Sums a range of INPUT of all ranks in place: this rank's first, then those of the following ranks, wrapping around.
 */
final class InPlaceSum
{
    private final ScheduleBuilder steps;
    private final int rank;
    private final int size;
    private final int[] exposed;

    /**
     * Creates a sum without steps.
     *
     * @param steps   builder to add steps to.
     * @param request request of the schedule, for at least two ranks.
     * @param exposed for each peer, the WAIT after which the peer's INPUT may be read.
     */
    InPlaceSum(final ScheduleBuilder steps, final ScheduleRequest request, final int[] exposed)
    {
        this.steps = steps;
        rank = request.rank();
        size = request.size();
        this.exposed = exposed;
    }

    /**
     * Writes the steps that sum a range.
     *
     * @param from        offset of the range in INPUT of every rank.
     * @param destination destination of the sum.
     * @param count       elements.
     * @param after       steps that must be done before, -1 for none.
     * @return the last step.
     */
    int write(final long from, final Location destination, final long count, final int... after)
    {
        final int next = (rank + 1) % size;
        final int[] before = Arrays.copyOf(after, after.length + 1);
        before[after.length] = exposed[next];
        int sum = steps.reduceWithPeer(INPUT.at(from), next, from, destination, count, size == 2, before);
        for (int i = 2; i < size; i++)
        {
            final int peer = (rank + i) % size;
            sum = steps.reduceWithPeer(
                destination, peer, from, destination, count, i == size - 1, sum, exposed[peer]);
        }
        return sum;
    }
}
