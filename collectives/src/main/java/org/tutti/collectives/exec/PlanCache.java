/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.collectives.reduce.Scaler;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.ScratchLimits;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.Choice;
import org.tutti.collectives.select.OperandOrder;
import org.tutti.collectives.wireup.ScratchLayout;
import org.tutti.collectives.wireup.Team;

import java.util.Arrays;
import java.util.Objects;

/**
 * Caches the plans of recent calls. It is set-associative: a call's shape maps to a set of {@link #WAYS} slots with LRU
 * replacement. All plans together have a bounded number of steps: if a new plan exceeds the bound, all others are
 * dropped, which is rare, as that many steps must be generated in between.
 * <p>
 * A hit allocates nothing. Not thread-safe.
 */
public final class PlanCache
{
    static final int WAYS = 4;
    private static final int SETS = 256;
    /** The maximum number of steps of all plans; a step takes about 70 bytes. */
    private static final long MAX_STEPS = 1 << 19;

    private final Plan[] plans = new Plan[SETS * WAYS];
    private final Team team;
    private final AlgorithmSelector selector;
    /** Whether messages carry short payloads. */
    private final boolean mayCarry;
    private final ScratchLayout layout;
    private final ScratchLimits limits;
    private final boolean reproducible;
    private final boolean verbose;
    private final long maxSteps;
    private long steps;
    private Plan last;

    public PlanCache(final Team team, final EngineConfiguration configuration)
    {
        this(team, configuration, MAX_STEPS);
    }

    PlanCache(final Team team, final EngineConfiguration configuration, final long maxSteps)
    {
        this.team = team;
        selector = team.selector();
        mayCarry = team.isDirect();
        layout = team.memory().scratchLayout();
        limits = new ScratchLimits(layout.longest(), layout.slotLength());
        reproducible = configuration.reproducible();
        verbose = configuration.verbose();
        this.maxSteps = maxSteps;
    }

    /**
     * Returns the plan of a checked call.
     *
     * @return plan; if the previous call was the same, its plan, without a lookup.
     */
    public Plan find(final CollectiveCall call)
    {
        // isInPlace also throws if memory was freed, before the call affects any other rank.
        final boolean isSame = call.isInPlace(team.rank());
        final boolean isInPlace = multiplies(call.op()) ? PremulBuffer.isInPlace(call.collective()) : isSame;
        final Plan previous = last;
        if (previous != null && previous.isOf(call, isInPlace))
        {
            return previous;
        }
        last = lookUp(call, isInPlace);
        return last;
    }

    private Plan lookUp(final CollectiveCall call, final boolean isInPlace)
    {
        final int first = WAYS * set(call, isInPlace);
        for (int slot = first; slot < first + WAYS && plans[slot] != null; slot++)
        {
            final Plan plan = plans[slot];
            if (plan.isFor(call, isInPlace))
            {
                return slot == first ? plan : putFirst(first, slot, plan);
            }
        }
        return add(first, make(call, isInPlace, verbose));
    }

    /** Returns the plan of a call that precedes the caller's, which is neither cached nor printed. */
    public Plan ofExchange(final CollectiveCall call)
    {
        return make(call, call.isInPlace(team.rank()), false);
    }

    private Plan add(final int first, final Plan plan)
    {
        final int lastSlot = first + WAYS - 1;
        steps += plan.schedule().stepCount - (plans[lastSlot] == null ? 0 : plans[lastSlot].schedule().stepCount);
        if (steps > maxSteps)
        {
            Arrays.fill(plans, null);
            steps = plan.schedule().stepCount;
        }
        return putFirst(first, lastSlot, plan);
    }

    /** Moves a plan to the first slot of its set, and shifts the plans before it. */
    private Plan putFirst(final int first, final int slot, final Plan plan)
    {
        System.arraycopy(plans, first, plans, first + 1, slot - first);
        plans[first] = plan;
        return plan;
    }

    private Plan make(final CollectiveCall asked, final boolean isInPlace, final boolean isPrinted)
    {
        final Collective collective = asked.collective();
        final DataType type = asked.type();
        final ReduceOp op = asked.op();
        final long count = asked.count();
        final int root = asked.root();
        final Blocks blocks = asked.blocks();
        final int elementSize = type == null ? 1 : type.size();
        final long bytes = elementSize * collective.selectionCount(
            request(asked, new ScheduleRequest(team.rank(), team.size(), count, root, isInPlace, 1, 1)));
        final Choice choice = selector.choose(
            collective, team.hosts(), bytes, OperandOrder.of(type, op, reproducible));
        final ScheduleRequest chosen = request(asked,
            choice.request(team.rank(), team.size(), count, elementSize, root, isInPlace).withHosts(team.hosts())
                .withEager(mayCarry && choice.algorithm().usesEager() ? ReceiveFifo.MAX_PAYLOAD / elementSize : 0));
        final Schedule schedule = limits.generate(choice.algorithm(), chosen, elementSize);
        final ScheduleRequest request = schedule.request();
        if (isPrinted && team.rank() == 0)
        {
            final Choice taken = request.segment() == chosen.segment() ? choice :
                choice.withSegment(request.segment() * elementSize, "shorter segments to fit TUTTI_SCRATCH");
            System.err.println("tutti: " + taken.explain(team.size(), bytes));
        }
        final boolean needsHalf = schedule.scratchCount() * elementSize > layout.slotLength();
        final boolean isShort =
            mayCarry && !needsHalf && !collective.hasLocalCounts() && bytes <= ReceiveFifo.MAX_PAYLOAD;
        final BoundSchedule bound = new BoundSchedule(schedule, elementSize, team.maxInline());
        if ((isShort || request.eager() > 0) && bound.longestToScratch > ReceiveFifo.MAX_PAYLOAD)
        {
            throw new IllegalStateException("algorithm " + choice.algorithm().name() + " sends " +
                bound.longestToScratch + " bytes in one message, more than " + ReceiveFifo.MAX_PAYLOAD +
                ": choose another algorithm");
        }
        final boolean uneven = blocks != null && !collective.hasLocalCounts();
        final CallDescription call = CallDescription.of(
            collective, type, op, collective.hasLocalCounts() ? 0 : uneven ? blocks.total() : count, root, Objects.hash(
            choice.algorithm().name(), request.segment(), request.window(), uneven ? blocks : 0));
        return new Plan(
            call,
            request,
            type,
            op,
            count,
            isInPlace,
            call.fingerprint(),
            blocks,
            asked.received(),
            !collective.isEmpty(request),
            collective.synchronizes(request),
            isShort,
            needsHalf,
            bound,
            op == null ? null : reducer(type, op, call),
            multiplies(op) ? new Scaler(type, op, collective.inputCount(request)) : null);
    }

    private Reducer reducer(final DataType type, final ReduceOp op, final CallDescription call)
    {
        final Reducer reducer = Reducers.of(type, op);
        return op.kind() == ReduceOp.Kind.USER ? team.operator().watch(reducer, call) : reducer;
    }

    private static boolean multiplies(final ReduceOp op)
    {
        return op != null && op.kind() == ReduceOp.Kind.PREMUL_SUM;
    }

    private static ScheduleRequest request(final CollectiveCall call, final ScheduleRequest plain)
    {
        final Blocks blocks = call.blocks();
        if (!call.collective().hasLocalCounts())
        {
            return blocks == null ? plain : plain.withBlocks(blocks);
        }
        return call.collective().exchanges() ? plain.withBlocks(blocks, call.received()) :
            plain.withOwnBlock(plain.count(), blocks);
    }

    static int set(final CollectiveCall call, final boolean isInPlace)
    {
        long hash = call.count() * 31 + call.root();
        hash = hash * 31 + call.collective().ordinal();
        hash = hash * 31 + (call.type() == null ? 7 : call.type().hashCode());
        hash = hash * 31 + (call.op() == null ? 7 : call.op().hashCode());
        hash = hash * 31 + (isInPlace ? 1 : 0);
        hash = hash * 31 + (call.blocks() == null ? 7 : call.blocks().hashCode());
        hash = hash * 31 + (call.received() == null ? 7 : call.received().hashCode());
        hash *= 0x9E3779B97F4A7C15L;
        return (int)(hash >>> 56);
    }
}
