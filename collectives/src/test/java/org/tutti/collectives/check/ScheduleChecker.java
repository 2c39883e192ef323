/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;

import java.util.List;

/**
 * Proves that the schedules of all ranks of one call are correct together. Stateless.
 * <p>
 * It proves in this order: every field is in range and INPUT is never written; every arrival is waited for exactly
 * once; ranks that run their lists in order cannot deadlock, which also makes happens-before (dependencies, arrivals,
 * and the order of messages from one rank to another) acyclic; PUTs into OUTPUT are after its exposure; conflicting
 * accesses are ordered by happens-before, independent of the order of the lists; a peer's arrivals that were not waited
 * for fit into the receive queue; and every rank ends with the promised result: each element is the reduction of the
 * inputs of the required ranks, each once, finished exactly once if required; or the element of the required rank; for
 * a barrier, every rank ends after all have begun. An allreduce is combined in the same order on all ranks, a scan in
 * rank order.
 * <p>
 * Memory is quadratic in the number of steps of all ranks, plus some per element: for the shapes under test, which
 * model those of production at a smaller scale.
 */
public final class ScheduleChecker
{
    private ScheduleChecker()
    {
    }

    /**
     * Checks the schedules of a call.
     *
     * @param collective collective of the schedules.
     * @param schedules  schedules of all ranks, in rank order.
     * @param queueDepth number of arrivals that a rank can take from a peer before it waits for the first of them.
     * @return report with all violations.
     * @throws ArithmeticException if the buffers have more than 2^31 - 1 elements.
     */
    public static CheckReport check(
        final Collective collective, final List<Schedule> schedules, final int queueDepth)
    {
        return check(collective, schedules, queueDepth, false);
    }

    /**
     * Checks the schedules of a call.
     *
     * @param collective  collective of the schedules.
     * @param schedules   schedules of all ranks, in rank order.
     * @param queueDepth  number of arrivals that a rank can take from a peer before it waits for the first of them.
     * @param inRankOrder whether reductions must combine inputs in rank order; scans always must.
     * @return report with all violations.
     * @throws ArithmeticException if the buffers have more than 2^31 - 1 elements.
     */
    public static CheckReport check(
        final Collective collective, final List<Schedule> schedules, final int queueDepth, final boolean inRankOrder)
    {
        final Findings findings = new Findings();
        new ShapeCheck(collective, schedules, findings).check();
        if (!findings.isEmpty())
        {
            return findings.report(-1);
        }
        final Arrivals arrivals = new Arrivals(schedules, findings);
        if (!findings.isEmpty())
        {
            return findings.report(-1);
        }
        final HappensBefore order = new HappensBefore(schedules, arrivals, findings);
        if (!findings.isEmpty())
        {
            return findings.report(-1);
        }
        final ArrivalCheck arrivalCheck = new ArrivalCheck(schedules, arrivals, order, findings);
        arrivalCheck.checkExposure();
        arrivalCheck.checkChecks();
        final int outstanding = arrivalCheck.checkOutstanding(queueDepth);
        new ConflictCheck(collective, schedules, order, findings).check();
        if (findings.isEmpty())
        {
            new ResultCheck(collective, schedules, order, findings, inRankOrder).check();
        }
        return findings.report(outstanding);
    }
}
