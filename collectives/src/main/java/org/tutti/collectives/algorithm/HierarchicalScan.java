/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostRuns;
import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Scan for small data across hosts with several ranks each: the ranks of a host scan by recursive doubling; the last
 * ranks of the hosts scan the hosts' sums, without their own host's, also by recursive doubling; each passes its result
 * down a 4-nomial tree within its host, and all ranks put it to the left of their own sums. Only one rank of a host
 * sends to other hosts, {@code ceil(log2 h)} times, where each rank would otherwise. If the ranks of a host are not
 * consecutive, each range of consecutive ranks counts as a host. All messages go through SCRATCH, where each has its
 * own slot. Data longer than a segment is scanned segment by segment in two sets of slots, with credits from the third
 * segment on. SCRATCH: {@code 3 ceil(log2 h) + 2 ceil(log2 m) + 2} segments on {@code h} hosts of up to {@code m} ranks
 * (twice that for longer data). Inputs are combined in rank order. The window is not used.
 * <p>
 * Luo, Wu, Bosilca, Pei, Cao, Patinyasakdikul, Zhong and Dongarra, <i>HAN: a Hierarchical AutotuNed Collective
 * Communication Framework</i>, IEEE Cluster 2020, doi:10.1109/CLUSTER49012.2020.00013 (hierarchy); Hillis and Steele,
 * <i>Data parallel algorithms</i>, Communications of the ACM 29(12), 1986, doi:10.1145/7902.7903 (recursive doubling).
 *
 * @param collective SCAN or EXSCAN.
 */
record HierarchicalScan(Collective collective) implements ScheduleGenerator
{
    private static final int RADIX = 4;

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new Writer(steps, request, collective == Collective.EXSCAN).write();
            return steps.build();
        }
        return collective == Collective.EXSCAN ? steps.build() : SingleRank.copy(steps, request);
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final boolean exclusive;
        private final boolean inPlace;
        private final Segments segments;
        private final HostRuns runs;
        private final int run;
        private final int first;
        private final int last;
        /**
         * The last rank that adds its input to a sum of its run: in an exscan the input of the last rank of all is not
         * needed.
         */
        private final int lastAdded;
        private final Tree tree;
        private final int localRounds;
        private final int rounds;
        private final StepList[] done = {new StepList(), new StepList()};
        private int segment;
        private long offset;
        private long length;
        private StepList before;
        private StepList own;
        /** Steps of this segment that read INPUT, which the result overwrites in place. */
        private StepList inputReaders;
        /** The sum of the inputs of this run up to this rank's, and the step that completes it. */
        private Location sum;
        private int ready;
        /** Where the sum of the earlier runs is. */
        private long prefixSlot;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request, final boolean exclusive)
        {
            this.steps = steps;
            this.exclusive = exclusive;
            rank = request.rank();
            inPlace = request.inPlace();
            segments = new Segments(0, request.count(), request.segment());
            runs = new HostRuns(request.hosts());
            run = runs.run(rank);
            first = runs.first(run);
            last = runs.last(run);
            lastAdded = exclusive && last == request.size() - 1 ? last - 1 : last;
            tree = new KnomialTree(last + 1 - first, last - first, RADIX);
            localRounds = rounds(runs.longest());
            rounds = rounds(runs.number());
            steps.scratch(Math.min(2, segments.number()) * slots() * segments.longest());
        }

        private static int rounds(final int ranks)
        {
            return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
        }

        void write()
        {
            for (segment = 0; segment < segments.number(); segment++)
            {
                offset = segments.offset(segment);
                length = segments.length(segment);
                before = done[segment % 2];
                own = new StepList();
                inputReaders = new StepList();
                sum = INPUT.at(offset);
                ready = -1;
                scanWithinRun();
                if (exclusive && rank < last)
                {
                    send(rank + 1, Channels.UP, Channels.UP_CREDIT, shiftSlot());
                }
                final int prefix = rank == last ? scanBetweenRuns() : run == 0 ? -1 : awaitPrefix();
                finish(exclusive && rank > first ? steps.await(rank - 1, Channels.UP) : -1, prefix);
                done[segment % 2] = own;
                grant();
            }
        }

        private void scanWithinRun()
        {
            for (int round = 0; rank <= lastAdded && 1 << round <= lastAdded - first; round++)
            {
                final int distance = 1 << round;
                if (rank + distance <= lastAdded)
                {
                    send(rank + distance, Channels.DATA, Channels.CREDIT, localSlot(round, 0));
                }
                if (rank - distance >= first)
                {
                    final int arrived = steps.await(rank - distance, Channels.DATA);
                    final boolean isResult = run == 0 && !exclusive && rank - 2 * distance < first;
                    add(
                        localSlot(round, 0), arrived,
                        isResult ? OUTPUT.at(offset) : SCRATCH.at(localSlot(round, 1)), isResult);
                }
            }
        }

        /** Sends the sum to a slot of another rank. */
        private void send(final int to, final int channel, final int creditChannel, final long slot)
        {
            final int credit = segment < 2 ? -1 : steps.await(to, creditChannel);
            keep(steps.put(to, channel, sum, SCRATCH.at(slot), length, ready, credit));
        }

        /** Adds the data in a slot to the sum, as the left operand. */
        private void add(final long slot, final int arrived, final Location destination, final boolean isResult)
        {
            final StepList after = new StepList(before, arrived);
            after.add(ready);
            if (isResult && inPlace)
            {
                after.addAll(inputReaders);
            }
            ready = steps.reduce(SCRATCH.at(slot), sum, destination, length, false, after.toArray());
            keep(ready);
            sum = destination;
        }

        /** Records a step that reads the sum. */
        private void keep(final int step)
        {
            own.add(step);
            inputReaders.add(sum.buffer() == INPUT ? step : -1);
        }

        /**
         * Adds the sums of the earlier runs, at the last rank of a run, and sends that to the other ranks of the run.
         *
         * @return the step after which the sum of the earlier runs is complete; -1 if there are none.
         */
        private int scanBetweenRuns()
        {
            final Location ownSum = sum;
            final int ownReady = ready;
            int prefix = -1;
            int arrived = -1;
            for (int round = 0; round < rounds; round++)
            {
                final int distance = 1 << round;
                if (run + distance < runs.number())
                {
                    send(runs.last(run + distance), Channels.DATA, Channels.CREDIT, slot(round, 0));
                }
                // Other ranks wait for what is sent, so this follows.
                prefix = round > 0 && distance <= 2 * run ? addPrefix(round - 1, arrived, prefix) : prefix;
                if (distance <= run)
                {
                    arrived = steps.await(runs.last(run - distance), Channels.DATA);
                    if (run + 2 * distance < runs.number())
                    {
                        add(slot(round, 0), arrived, SCRATCH.at(slot(round, 1)), false);
                    }
                }
            }
            prefix = rounds > 0 && 1 << (rounds - 1) <= run ? addPrefix(rounds - 1, arrived, prefix) : prefix;
            sum = ownSum;
            ready = ownReady;
            if (run > 0)
            {
                passOn(prefix);
            }
            return prefix;
        }

        /** Adds the data received in a round to the sum of the runs before this one. */
        private int addPrefix(final int round, final int arrived, final int prefix)
        {
            if (round == 0)
            {
                prefixSlot = slot(0, 0);
                return arrived;
            }
            final StepList after = new StepList(before, arrived);
            after.add(prefix);
            final int added = steps.reduce(
                SCRATCH.at(slot(round, 0)), SCRATCH.at(prefixSlot), SCRATCH.at(slot(round, 2)), length, false,
                after.toArray());
            own.add(added);
            prefixSlot = slot(round, 2);
            return added;
        }

        /** Waits for the sum of the earlier runs, and sends it on; returns the WAIT. */
        private int awaitPrefix()
        {
            final int arrived = steps.await(first + tree.parent(rank - first), Channels.DOWN);
            prefixSlot = passedSlot();
            passOn(arrived);
            return arrived;
        }

        private void passOn(final int arrived)
        {
            for (final int child : tree.children(rank - first))
            {
                final int credit = segment < 2 ? -1 : steps.await(first + child, Channels.DOWN_CREDIT);
                own.add(steps.put(
                    first + child, Channels.DOWN, SCRATCH.at(prefixSlot), SCRATCH.at(passedSlot()), length, arrived,
                    credit));
            }
        }

        /** Writes the result. */
        private void finish(final int shifted, final int prefix)
        {
            final Location result = OUTPUT.at(offset);
            final StepList after = new StepList(new StepList(), prefix);
            after.add(exclusive ? shifted : ready);
            if (inPlace)
            {
                after.addAll(inputReaders);
            }
            if (exclusive)
            {
                if (prefix >= 0 && shifted >= 0)
                {
                    own.add(steps.reduce(
                        SCRATCH.at(prefixSlot), SCRATCH.at(shiftSlot()), result, length, false, after.toArray()));
                }
                else if (prefix >= 0 || shifted >= 0)
                {
                    own.add(steps.copy(
                        SCRATCH.at(prefix >= 0 ? prefixSlot : shiftSlot()), result, length, after.toArray()));
                }
            }
            else if (prefix >= 0)
            {
                own.add(steps.reduce(SCRATCH.at(prefixSlot), sum, result, length, false, after.toArray()));
            }
            else if (rank == 0 && !inPlace)
            {
                steps.copy(sum, result, length);
            }
        }

        /** Lets the ranks that have sent to this one use its slots for the segment after the next. */
        private void grant()
        {
            if (segment + 2 >= segments.number())
            {
                return;
            }
            final int[] after = own.toArray();
            for (int distance = 1; rank <= lastAdded && distance <= rank - first; distance *= 2)
            {
                steps.signal(rank - distance, Channels.CREDIT, after);
            }
            if (exclusive && rank > first)
            {
                steps.signal(rank - 1, Channels.UP_CREDIT, after);
            }
            for (int distance = 1; rank == last && distance <= run; distance *= 2)
            {
                steps.signal(runs.last(run - distance), Channels.CREDIT, after);
            }
            if (run > 0 && rank != last)
            {
                steps.signal(first + tree.parent(rank - first), Channels.DOWN_CREDIT, after);
            }
        }

        private long slots()
        {
            return 3L * rounds + 2L * localRounds + 2;
        }

        /** Two slots per round within a run: data received, and the sum that is sent on. */
        private long localSlot(final int round, final int kind)
        {
            return at(2L * round + kind);
        }

        /**
         * Three slots per round between runs: data received, the sum that is sent on, and the sum of the runs before
         * this one.
         */
        private long slot(final int round, final int kind)
        {
            return at(2L * localRounds + 3L * round + kind);
        }

        private long shiftSlot()
        {
            return at(slots() - 2);
        }

        /** The slot in which ranks other than the last of a run receive the sum of the earlier runs. */
        private long passedSlot()
        {
            return at(slots() - 1);
        }

        private long at(final long number)
        {
            return (segment % 2 * slots() + number) * segments.longest();
        }
    }
}
