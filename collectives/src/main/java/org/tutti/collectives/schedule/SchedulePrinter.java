/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import org.tutti.collectives.pattern.Blocks;

/**
 * Prints schedules as text: a line for the schedule, then one per step, with the steps that it depends on in
 * parentheses.
 * <pre>
 * rank 0: ring, 2 ranks, 5 elements, segment 2, window 2, scratch 4, 12 steps
 *   0  expose  -&gt; 1 #2
 *   1  put     input[0..2) -&gt; 1 scratch[0..2) #0
 *   2  wait    &lt;- 1 #0
 *   3  reduce  scratch[0..2) + input[3..5) -&gt; output[3..5) finish (2)
 * </pre>
 * {@code ->} and {@code <-} name the peer, {@code #} the channel. Stateless.
 */
public final class SchedulePrinter
{
    private SchedulePrinter()
    {
    }

    /**
     * Prints a schedule.
     *
     * @param algorithm name of the algorithm that generated the schedule, such as {@code ring}.
     * @param schedule  schedule of one rank.
     * @return lines, each terminated by a newline.
     */
    public static String print(final String algorithm, final Schedule schedule)
    {
        final ScheduleRequest request = schedule.request();
        final StringBuilder text = new StringBuilder();
        text.append("rank ").append(request.rank()).append(": ").append(algorithm)
            .append(", ").append(request.size()).append(request.size() == 1 ? " rank" : " ranks")
            .append(request.hosts().isHierarchical() ? " on " + request.hosts() : "")
            .append(", ").append(request.count()).append(request.count() == 1 ? " element" : " elements")
            .append(blocks(request))
            .append(request.root() == 0 ? "" : ", root " + request.root())
            .append(request.inPlace() ? " in place" : "")
            .append(", segment ").append(request.segment())
            .append(", window ").append(request.window())
            .append(request.eager() == 0 ? "" : ", eager " + request.eager())
            .append(", scratch ").append(schedule.scratchCount())
            .append(", ").append(schedule.stepCount()).append(" steps\n");
        final int width = Math.max(3, Integer.toString(schedule.stepCount()).length());
        for (int step = 0; step < schedule.stepCount(); step++)
        {
            final String number = Integer.toString(step);
            text.repeat(' ', width - number.length()).append(number).append("  ");
            printStep(schedule, step, text);
            text.append('\n');
        }
        return text.toString();
    }

    private static String blocks(final ScheduleRequest request)
    {
        final Blocks blocks = request.blocks();
        if (blocks == null || (blocks.isUniform() && blocks.longest() == request.count()))
        {
            return "";
        }
        return request.received().equals(blocks) ? ", blocks " + blocks :
            ", sends " + blocks + ", receives " + request.received();
    }

    private static void printStep(final Schedule schedule, final int step, final StringBuilder text)
    {
        final boolean flag = schedule.flag(step);
        switch (schedule.kind(step))
        {
            case PUT ->
            {
                text.append("put     ");
                printSource(schedule, step, text);
                text.append(" -> ").append(schedule.peer(step)).append(' ');
                printDestination(schedule, step, text);
                text.append(" #").append(schedule.channel(step));
            }
            case SIGNAL ->
            {
                text.append(flag ? "expose  " : schedule.isOfBlock(step) ? "announce " + schedule.count(step) + " " :
                    "signal  ");
                if (flag && schedule.count(step) != Schedule.ALL)
                {
                    printRange(BufferId.OUTPUT, schedule.sourceOffset(step), schedule.count(step), text);
                    text.append(' ');
                }
                text.append("-> ").append(schedule.peer(step)).append(" #").append(schedule.channel(step));
            }
            case WAIT -> text.append("wait    <- ").append(schedule.peer(step))
                .append(" #").append(schedule.channel(step))
                .append(!flag ? "" : (schedule.isOfBlock(step) ? " of " : " exposes ") + schedule.count(step));
            case REDUCE ->
            {
                text.append("reduce  ");
                printSource(schedule, step, text);
                text.append(" + ").append(schedule.readsPeer(step) ? schedule.peer(step) + " " : "");
                printRange(
                    schedule.secondSource(step), schedule.secondSourceOffset(step), schedule.count(step), text);
                text.append(" -> ");
                printDestination(schedule, step, text);
                text.append(flag ? " finish" : "");
            }
            default ->
            {
                text.append("copy    ").append(schedule.readsPeer(step) ? schedule.peer(step) + " " : "");
                printSource(schedule, step, text);
                text.append(" -> ");
                printDestination(schedule, step, text);
            }
        }
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            text.append(i == 0 ? " (" : " ").append(schedule.dependency(step, i));
        }
        text.append(schedule.dependencyCount(step) > 0 ? ")" : "");
    }

    private static void printSource(final Schedule schedule, final int step, final StringBuilder text)
    {
        printRange(schedule.source(step), schedule.sourceOffset(step), schedule.count(step), text);
    }

    private static void printDestination(final Schedule schedule, final int step, final StringBuilder text)
    {
        printRange(schedule.destination(step), schedule.destinationOffset(step), schedule.count(step), text);
    }

    private static void printRange(
        final BufferId buffer, final long offset, final long count, final StringBuilder text)
    {
        final String name = switch (buffer)
        {
            case INPUT -> "input";
            case OUTPUT -> "output";
            case SCRATCH -> "scratch";
        };
        text.append(name).append('[').append(offset).append("..").append(offset + count).append(')');
    }
}
