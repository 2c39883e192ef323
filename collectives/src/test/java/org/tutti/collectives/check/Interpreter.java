/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Runs the schedules of all ranks on arrays, in one thread, with a random choice of the next event: the most adverse
 * behaviour that the contract allows. PUTs read their source late, land late (but in order per pair of ranks) and
 * complete late.
 */
final class Interpreter
{
    private enum State
    {
        WAITING, STARTED, READ, DONE
    }

    private final Collective collective;
    private final List<Schedule> schedules;
    private final Random random;
    private final boolean inListOrder;
    private final double[][][] memory;
    private final State[][] states;
    private final int[] done;
    private final double[][][] carried;
    private final List<List<int[]>> inFlight = new ArrayList<>();
    private final int[][] arrived;
    private final int[][] waitIndex;
    private final boolean[] entered;
    private final boolean[] left;
    private final long[][] exposed;
    private boolean leftEarly;

    /**
     * Loads the inputs.
     *
     * @param collective  collective of the schedules.
     * @param schedules   schedules of all ranks.
     * @param inputs      input of each rank; copied.
     * @param random      source of the choices.
     * @param inListOrder whether steps start in the order of the list, as in the engine, or as soon as their
     *                    dependencies allow.
     */
    Interpreter(
        final Collective collective, final List<Schedule> schedules, final double[][] inputs, final Random random,
        final boolean inListOrder)
    {
        this.collective = collective;
        this.schedules = schedules;
        this.random = random;
        this.inListOrder = inListOrder;
        final int size = schedules.size();
        memory = new double[size][BufferId.values().length][];
        states = new State[size][];
        done = new int[size];
        carried = new double[size][][];
        arrived = new int[size * size][Schedule.CHANNELS];
        waitIndex = new int[size][];
        exposed = new long[size][size];
        entered = new boolean[size];
        left = new boolean[size];
        for (int rank = 0; rank < size; rank++)
        {
            final Schedule schedule = schedules.get(rank);
            load(rank, inputs[rank]);
            memory[rank][BufferId.SCRATCH.ordinal()] = filled((int)schedule.scratchCount());
            states[rank] = new State[schedule.stepCount()];
            Arrays.fill(states[rank], State.WAITING);
            carried[rank] = new double[schedule.stepCount()][];
            waitIndex[rank] = numberWaits(schedule, size);
            for (int peer = 0; peer < size; peer++)
            {
                inFlight.add(new ArrayList<>());
            }
        }
    }

    /**
     * Runs until no event is possible.
     *
     * @return output of each rank.
     * @throws IllegalStateException if a rank has not completed its steps.
     */
    double[][] run()
    {
        final int size = schedules.size();
        final List<Runnable> possible = new ArrayList<>();
        do
        {
            possible.clear();
            final int first = random.nextInt(size);
            for (int i = 0; i < size && possible.isEmpty(); i++)
            {
                addPossible((first + i) % size, possible);
            }
            if (!possible.isEmpty())
            {
                possible.get(random.nextInt(possible.size())).run();
                updateLeft();
            }
        }
        while (!possible.isEmpty());

        final double[][] outputs = new double[size][];
        for (int rank = 0; rank < outputs.length; rank++)
        {
            for (int step = 0; step < states[rank].length; step++)
            {
                if (states[rank][step] != State.DONE)
                {
                    throw new IllegalStateException("rank " + rank + " never did step " + step);
                }
            }
            final int from = start(rank, BufferId.OUTPUT);
            outputs[rank] = Arrays.copyOfRange(
                memory[rank][BufferId.OUTPUT.ordinal()], from,
                from + (int)collective.outputCount(schedules.get(rank).request()));
        }
        return outputs;
    }

    /**
     * Returns whether a rank completed all its steps before another began its first.
     *
     * @return true if so, which a barrier must prevent.
     */
    boolean leftEarly()
    {
        return leftEarly;
    }

    /** In place, both buffers share one array. */
    private void load(final int rank, final double[] input)
    {
        final ScheduleRequest request = schedules.get(rank).request();
        final int outputEnd = start(rank, BufferId.OUTPUT) + (int)collective.outputCount(request);
        final int inputStart = start(rank, BufferId.INPUT);
        if (collective.isShared(request))
        {
            final double[] both = filled(Math.max(outputEnd, inputStart + input.length));
            memory[rank][BufferId.INPUT.ordinal()] = both;
            memory[rank][BufferId.OUTPUT.ordinal()] = both;
            System.arraycopy(input, 0, both, inputStart, input.length);
        }
        else
        {
            memory[rank][BufferId.INPUT.ordinal()] = input.clone();
            memory[rank][BufferId.OUTPUT.ordinal()] = filled(outputEnd);
        }
    }

    /** Returns the start of a buffer in its array. */
    private int start(final int rank, final BufferId buffer)
    {
        final ScheduleRequest request = schedules.get(rank).request();
        if (buffer == BufferId.SCRATCH || !collective.isShared(request))
        {
            return 0;
        }
        return (int)(buffer == BufferId.INPUT ? collective.inputStart(request) : collective.outputStart(request));
    }

    private void updateLeft()
    {
        for (int rank = 0; rank < left.length; rank++)
        {
            if (entered[rank] && !left[rank] && done[rank] == states[rank].length)
            {
                left[rank] = true;
                for (final boolean hasEntered : entered)
                {
                    leftEarly |= !hasEntered;
                }
            }
        }
    }

    private void addPossible(final int rank, final List<Runnable> possible)
    {
        if (!entered[rank])
        {
            possible.add(() -> entered[rank] = true);
            return;
        }
        final Schedule schedule = schedules.get(rank);
        final boolean[] sendsHeld = new boolean[schedules.size()];
        for (int step = 0; step < schedule.stepCount(); step++)
        {
            final int at = step;
            final StepKind kind = schedule.kind(step);
            final boolean isSend = kind == StepKind.PUT || kind == StepKind.SIGNAL;
            switch (states[rank][step])
            {
                case WAITING ->
                {
                    final boolean held = isSend && sendsHeld[schedule.peer(step)];
                    if (!held && dependenciesDone(schedule, rank, step) && !isBlocked(schedule, rank, step))
                    {
                        possible.add(() -> start(rank, at));
                    }
                    if (isSend)
                    {
                        sendsHeld[schedule.peer(step)] = true;
                    }
                    if (inListOrder)
                    {
                        addLandings(rank, possible);
                        return;
                    }
                }
                case STARTED -> possible.add(() -> read(rank, at));
                case READ -> possible.add(() -> end(rank, at));
                default ->
                {
                    // Done.
                }
            }
        }
        addLandings(rank, possible);
    }

    private void addLandings(final int rank, final List<Runnable> possible)
    {
        for (int peer = 0; peer < schedules.size(); peer++)
        {
            final List<int[]> queue = inFlight.get(rank * schedules.size() + peer);
            if (!queue.isEmpty())
            {
                final int step = queue.getFirst()[0];
                if (schedules.get(rank).kind(step) == StepKind.SIGNAL || carried[rank][step] != null)
                {
                    possible.add(() -> land(rank, queue));
                }
            }
        }
    }

    private void land(final int rank, final List<int[]> queue)
    {
        final int step = queue.removeFirst()[0];
        final Schedule schedule = schedules.get(rank);
        final int peer = schedule.peer(step);
        if (schedule.kind(step) == StepKind.PUT)
        {
            final boolean toOutput = schedule.destination(step) == BufferId.OUTPUT;
            write(peer, toOutput ? exposed[peer][rank] : 0, schedule, step, carried[rank][step]);
        }
        else if (schedule.flag(step))
        {
            exposed[rank][peer] = schedule.sourceOffset(step);
        }
        arrived[rank * schedules.size() + peer][schedule.channel(step)]++;
    }

    private void start(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        if (schedule.kind(step) == StepKind.PUT)
        {
            states[rank][step] = State.STARTED;
            inFlight.get(rank * schedules.size() + schedule.peer(step)).add(new int[] {step});
            return;
        }
        end(rank, step);
        switch (schedule.kind(step))
        {
            case SIGNAL -> inFlight.get(rank * schedules.size() + schedule.peer(step)).add(new int[] {step});
            case COPY -> write(rank, 0, schedule, step, source(rank, step));
            case REDUCE ->
            {
                final double[] left = source(rank, step);
                final int owner = schedule.secondSourceOwner(step);
                final double[] right = memory[owner][schedule.secondSource(step).ordinal()];
                final int offset =
                    start(owner, schedule.secondSource(step)) + (int)schedule.secondSourceOffset(step);
                for (int i = 0; i < left.length; i++)
                {
                    left[i] += right[offset + i];
                    left[i] /= schedule.flag(step) ? schedules.size() : 1;
                }
                write(rank, 0, schedule, step, left);
            }
            default ->
            {
                // A WAIT has no effect.
            }
        }
    }

    private void end(final int rank, final int step)
    {
        states[rank][step] = State.DONE;
        done[rank]++;
    }

    private void read(final int rank, final int step)
    {
        carried[rank][step] = source(rank, step);
        states[rank][step] = State.READ;
    }

    private double[] source(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        final int owner = schedule.sourceOwner(step);
        final int from = start(owner, schedule.source(step)) + (int)schedule.sourceOffset(step);
        return Arrays.copyOfRange(
            memory[owner][schedule.source(step).ordinal()], from, from + (int)schedule.count(step));
    }

    private void write(
        final int owner, final long exposedFrom, final Schedule schedule, final int step, final double[] values)
    {
        final BufferId buffer = schedule.destination(step);
        System.arraycopy(
            values, 0, memory[owner][buffer.ordinal()],
            start(owner, buffer) + (int)(exposedFrom + schedule.destinationOffset(step)), values.length);
    }

    private boolean dependenciesDone(final Schedule schedule, final int rank, final int step)
    {
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            if (states[rank][schedule.dependency(step, i)] != State.DONE)
            {
                return false;
            }
        }
        return true;
    }

    private boolean isBlocked(final Schedule schedule, final int rank, final int step)
    {
        return schedule.kind(step) == StepKind.WAIT &&
            arrived[schedule.peer(step) * schedules.size() + rank][schedule.channel(step)] <= waitIndex[rank][step];
    }

    private static int[] numberWaits(final Schedule schedule, final int size)
    {
        final int[] next = new int[size * Schedule.CHANNELS];
        final int[] index = new int[schedule.stepCount()];
        for (int step = 0; step < index.length; step++)
        {
            if (schedule.kind(step) == StepKind.WAIT)
            {
                index[step] = next[schedule.peer(step) * Schedule.CHANNELS + schedule.channel(step)]++;
            }
        }
        return index;
    }

    private static double[] filled(final int length)
    {
        final double[] values = new double[length];
        Arrays.fill(values, Double.NaN);
        return values;
    }
}
