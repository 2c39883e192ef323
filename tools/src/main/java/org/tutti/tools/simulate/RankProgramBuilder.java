/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds a {@link RankProgram} from a schedule. */
final class RankProgramBuilder
{
    final PeerChannels outlets = new PeerChannels();
    final PeerChannels inboxes = new PeerChannels();
    final List<Integer> dependents = new ArrayList<>();
    final List<int[]> completions = new ArrayList<>();
    final int steps;
    final byte[] kinds;
    final int[] targets;
    final long[] lengths;

    private RankProgramBuilder(final int steps)
    {
        this.steps = steps;
        kinds = new byte[steps];
        targets = new int[steps];
        lengths = new long[steps];
    }

    /**
     * Builds a program.
     *
     * @param schedule    schedule of the rank.
     * @param rank        rank, from 0.
     * @param size        number of ranks.
     * @param elementSize bytes of an element.
     * @param inlineBytes maximum length of a PUT that is complete when it is posted.
     * @return the program.
     */
    static RankProgram of(
        final Schedule schedule, final int rank, final int size, final int elementSize, final int inlineBytes)
    {
        final RankProgramBuilder builder = new RankProgramBuilder(schedule.stepCount());
        for (int step = 0; step < builder.steps; step++)
        {
            builder.add(schedule, step, rank, size, elementSize, inlineBytes);
        }
        return new RankProgram(builder);
    }

    private void add(
        final Schedule schedule, final int step, final int rank, final int size, final int elementSize,
        final int inlineBytes)
    {
        final StepKind kind = schedule.kind(step);
        kinds[step] = (byte)kind.ordinal();
        // For steps that move no elements, the count has another meaning.
        lengths[step] = kind == StepKind.SIGNAL || kind == StepKind.WAIT ? 0 : schedule.count(step) * elementSize;
        // Steps that load a peer's memory count as local steps: such memory is assumed to be as near as local memory.
        if (schedule.peer(step) >= 0 && !schedule.readsPeer(step))
        {
            final int distance = Math.floorMod(schedule.peer(step) - rank, size);
            targets[step] = (kind == StepKind.WAIT ? inboxes : outlets).entry(distance, schedule.channel(step));
        }
        int[] puts = null;
        int number = 0;
        final int dependencies = schedule.dependencyCount(step);
        for (int i = 0; i < dependencies; i++)
        {
            final int dependency = schedule.dependency(step, i);
            if (kinds[dependency] == ProgramShape.PUT && lengths[dependency] > inlineBytes)
            {
                puts = puts == null ? new int[dependencies] : puts;
                puts[number++] = dependency;
            }
        }
        if (puts != null)
        {
            dependents.add(step);
            completions.add(Arrays.copyOf(puts, number));
        }
    }
}
