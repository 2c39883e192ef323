/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * Times of rings: Patarasuk and Yuan, <i>Bandwidth optimal all-reduce algorithms for clusters of workstations</i>,
 * Journal of Parallel and Distributed Computing 69(2), 2009, doi:10.1016/j.jpdc.2008.09.002. In each step a rank passes
 * on a chunk, in as many segments as it has; a step takes the longest of three times: of the processor, of the
 * adapter, and, on average, of a message on its way to the next rank.
 */
final class RingForms
{
    private RingForms()
    {
    }

    static double allreduce(final ModelledCall call)
    {
        return laps(call, true) + laps(call, false) + tail(call, false);
    }

    static double allgather(final ModelledCall call)
    {
        return call.ranks().copy(call.block()) + call.ranks().shift(0).signal() + gather(call);
    }

    /** Time of the steps alone, without exposing and copying. */
    static double gather(final ModelledCall call)
    {
        return laps(call, false) + tail(call, false);
    }

    static double reduceScatter(final ModelledCall call)
    {
        return laps(call, true) + tail(call, true);
    }

    /** Time of laps of half a window of segments per block, each through all steps of the ring. */
    private static double laps(final ModelledCall call, final boolean isReduced)
    {
        final double number = call.segments(call.block());
        final double segment = call.block() / number;
        final double last = number % call.halfWindow();
        final ModelLink far = call.ranks().shift(0);
        final double steps = call.size() - 1;
        return Math.max(
            steps * (Math.floor(number / call.halfWindow()) * step(call, call.halfWindow(), isReduced) +
                (last > 0 ? step(call, last, isReduced) : 0)),
            (steps * number - 1) * call.creditNs(far, steps * number, segment, local(call, isReduced)));
    }

    /** Time of a step of a number of segments: that for which the busiest rank is busy, or that of a message. */
    private static double step(final ModelledCall call, final double number, final boolean isReduced)
    {
        return Math.max(number * work(call, isReduced), hop(call, isReduced));
    }

    /** Time from when a rank that never waits ends its last step until the last segment has arrived. */
    private static double tail(final ModelledCall call, final boolean isReduced)
    {
        final double inLap = Math.min(call.halfWindow(), call.segments(call.block()));
        return Math.max(0, Math.min(hop(call, isReduced), inLap * work(call, isReduced)) - work(call, isReduced));
    }

    /** Average time of a hop on the slowest path. */
    private static double hop(final ModelledCall call, final boolean isReduced)
    {
        final ModelledRanks ranks = call.ranks();
        final double segment = call.block() / call.segments(call.block());
        final double steps = call.size() - 1;
        // One of the hops of the whole ring is in no path.
        final double crossing = Math.min(1, ranks.crossing() * call.size() / steps);
        return (1 - crossing) * (work(ranks.near(), segment) + ranks.near().flight(segment)) +
            crossing * (work(ranks.shift(0), segment) + ranks.shift(0).flight(segment)) + local(call, isReduced);
    }

    /** Time for which the busiest rank or adapter is busy with a segment. */
    static double work(final ModelledCall call, final boolean isReduced)
    {
        final ModelledRanks ranks = call.ranks();
        final double segment = call.block() / call.segments(call.block());
        final ModelLink far = ranks.shift(0);
        final double near = ranks.hasNear() ? work(ranks.near(), segment) : 0;
        return Math.max(Math.max(near, work(far, segment)) + local(call, isReduced), far.occupied(segment));
    }

    private static double local(final ModelledCall call, final boolean isReduced)
    {
        return isReduced ? call.ranks().reduce(call.block() / call.segments(call.block())) : 0;
    }

    /** Processor time of a message and its credit, both received and sent. */
    private static double work(final ModelLink link, final double segment)
    {
        return link.send(segment) + link.sendNs() + 2 * link.receiveNs();
    }
}
