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
        final int steps = call.size() - 1;
        final double chunk = call.block();
        final double number = call.segments(chunk);
        final double inLap = Math.min(number, call.window());
        final double laps = Math.max(1, number / inLap);
        return laps * steps * (step(call, chunk / number, inLap, true) + step(call, chunk / number, inLap, false));
    }

    static double allgather(final ModelledCall call)
    {
        return call.ranks().copy(call.block()) + call.ranks().shift(0).signal() + gather(call);
    }

    /** Time of the steps alone, without exposing and copying. */
    static double gather(final ModelledCall call)
    {
        final double number = call.segments(call.block());
        return (call.size() - 1) * step(call, call.block() / number, number, false);
    }

    static double reduceScatter(final ModelledCall call)
    {
        final double number = call.segments(call.block());
        return (call.size() - 1) * step(call, call.block() / number, number, true);
    }

    /** Time of a step of a number of segments. */
    private static double step(
        final ModelledCall call, final double segment, final double number, final boolean isReduced)
    {
        final ModelledRanks ranks = call.ranks();
        final ModelLink near = ranks.near();
        final ModelLink far = ranks.shift(0);
        final double local = isReduced ? ranks.reduce(segment) : 0;
        final double nearWork = work(near, segment) + local;
        final double farWork = work(far, segment) + local;
        final double way = (1 - ranks.crossing()) * (nearWork + near.flight(segment)) +
            ranks.crossing() * (farWork + far.flight(segment));
        final double work = ranks.hasNear() ? Math.max(nearWork, farWork) : farWork;
        return Math.max(number * Math.max(work, far.occupied(segment)), way);
    }

    /** Processor time of a message and its credit, both received and sent. */
    private static double work(final ModelLink link, final double segment)
    {
        return link.send(segment) + link.sendNs() + 2 * link.receiveNs();
    }
}
