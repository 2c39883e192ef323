/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.Choice;

import java.util.Objects;

/**
 * The plans of recent calls, direct-mapped: a call whose place is taken by another replaces it. Finding one allocates
 * nothing. Not thread-safe.
 */
final class PlanCache
{
    private static final int PLACES = 256;

    private final Plan[] plans = new Plan[PLACES];
    private final Mesh mesh;
    private final AlgorithmSelector selector;
    private final boolean verbose;

    PlanCache(final Mesh mesh, final AlgorithmSelector selector, final boolean verbose)
    {
        this.mesh = mesh;
        this.selector = selector;
        this.verbose = verbose;
    }

    Plan find(
        final Collective collective, final DataType type, final ReduceOp op,
        final long count, final int root, final boolean inPlace)
    {
        final int place = place(collective, type, op, count, root, inPlace);
        final Plan plan = plans[place];
        if (plan != null && plan.isFor(collective, type, op, count, root, inPlace))
        {
            return plan;
        }
        plans[place] = make(collective, type, op, count, root, inPlace);
        return plans[place];
    }

    private Plan make(
        final Collective collective, final DataType type, final ReduceOp op,
        final long count, final int root, final boolean inPlace)
    {
        final int elementSize = type == null ? 1 : type.size();
        final long bytes = count * elementSize;
        final Choice choice = selector.choose(collective, mesh.size(), bytes);
        final Schedule schedule = generate(
            choice.algorithm(), choice.request(mesh.rank(), mesh.size(), count, elementSize, root, inPlace),
            mesh.scratchHalf() / elementSize);
        if (verbose && mesh.rank() == 0)
        {
            System.err.println("tutti: " + selector.explain(collective, mesh.size(), bytes));
        }
        final ScheduleRequest request = schedule.request();
        final CallDescription call = new CallDescription(collective, type, op, count, root,
            Objects.hash(schedule.algorithm(), request.segment(), request.window()));
        return new Plan(
            call,
            inPlace,
            call.fingerprint(),
            mesh.size() == 1 || collective == Collective.BARRIER || (collective == Collective.ALLREDUCE && count > 0),
            new BoundSchedule(schedule, elementSize, mesh.maxInline()),
            op == null ? null : Reducers.of(type, op));
    }

    /** Makes the schedule, with shorter segments if peers have not enough scratch for it. */
    private static Schedule generate(
        final ScheduleGenerator algorithm, final ScheduleRequest chosen, final long scratchCount)
    {
        ScheduleRequest request = chosen;
        Schedule schedule = algorithm.generate(request);
        while (schedule.scratchCount() > scratchCount)
        {
            if (request.segment() == 1)
            {
                throw new IllegalArgumentException(algorithm.name() + " on " + request.size() + " ranks needs more " +
                    "than TUTTI_SCRATCH: raise it, or choose another algorithm by TUTTI_ALGORITHM");
            }
            request = new ScheduleRequest(request.rank(), request.size(), request.count(), request.root(),
                request.inPlace(), Math.max(1, Math.min(request.segment(), request.count()) / 2), request.window());
            schedule = algorithm.generate(request);
        }
        return schedule;
    }

    private static int place(
        final Collective collective, final DataType type, final ReduceOp op,
        final long count, final int root, final boolean inPlace)
    {
        long hash = count * 31 + root;
        hash = hash * 31 + collective.ordinal();
        hash = hash * 31 + (type == null ? 7 : type.ordinal());
        hash = hash * 31 + (op == null ? 7 : op.ordinal());
        hash = hash * 31 + (inPlace ? 1 : 0);
        hash *= 0x9E3779B97F4A7C15L;
        return (int)(hash >>> 56);
    }
}
