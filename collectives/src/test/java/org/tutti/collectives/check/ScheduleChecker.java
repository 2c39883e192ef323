/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;

import java.util.List;

/**
 * Proves that the schedules of all ranks of one call are right together. Stateless.
 * <p>
 * In this order: every field is in its range and INPUT is never written; every arrival is waited for, once; ranks that
 * run their lists in order cannot deadlock, which makes happens-before (dependencies, arrivals, and the order of what
 * one rank sends another) acyclic too; PUTs into OUTPUT are after its exposure; conflicting accesses are ordered by
 * happens-before, without help from the order of the lists; a peer's arrivals that were not waited for fit the receive
 * queue; and every rank ends with what the collective promises: in every element the reduction of the inputs of certain
 * ranks, each once, finished once if that is to be; or a certain rank's element; or after every rank has begun. An
 * allreduce is combined in the same way on all ranks, a scan in the order of ranks.
 * <p>
 * Takes memory quadratic in the number of steps of all ranks, and per element: for shapes as they are tested, not for
 * those of production, of which the former are pictures.
 */
public final class ScheduleChecker
{
    private ScheduleChecker()
    {
    }

    /**
     * Checks.
     *
     * @param collective what the schedules compute.
     * @param schedules  of ranks 0, 1, and so on, all of them.
     * @param queueDepth how many arrivals a rank can take from a peer before it waits for the first of them.
     * @return what is wrong.
     * @throws ArithmeticException if the buffers have more than 2^31 - 1 elements.
     */
    public static CheckReport check(
        final Collective collective, final List<Schedule> schedules, final int queueDepth)
    {
        return check(collective, schedules, queueDepth, false);
    }

    /**
     * Checks.
     *
     * @param collective  what the schedules compute.
     * @param schedules   of ranks 0, 1, and so on, all of them.
     * @param queueDepth  how many arrivals a rank can take from a peer before it waits for the first of them.
     * @param inRankOrder whether reductions must combine inputs in the order of ranks; a scan must anyway.
     * @return what is wrong.
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
