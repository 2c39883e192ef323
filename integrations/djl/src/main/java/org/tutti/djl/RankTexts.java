/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Exchanges texts between ranks, and names ranks in messages. */
final class RankTexts
{
    private RankTexts()
    {
    }

    /**
     * Gathers a text of each rank. Collective; if all are empty, one short allreduce.
     *
     * @param communicator the ranks.
     * @param text         this rank's text.
     * @return the texts of all ranks, by rank.
     */
    static List<String> gather(final Communicator communicator, final String text)
    {
        final byte[] own = text.getBytes(StandardCharsets.UTF_8);
        final int[] longest = {own.length};
        communicator.allreduce(longest, ReduceOp.MAX);
        if (longest[0] == 0)
        {
            return Collections.nCopies(communicator.size(), "");
        }
        final int length = longest[0] + Integer.BYTES;
        try (DataBuffer input = communicator.allocate(DataType.INT8, length);
            DataBuffer output = communicator.allocate(DataType.INT8, (long)length * communicator.size()))
        {
            input.segment().set(ValueLayout.JAVA_INT_UNALIGNED, 0, own.length);
            MemorySegment.copy(own, 0, input.segment(), ValueLayout.JAVA_BYTE, Integer.BYTES, own.length);
            communicator.allgather(input, output);
            final List<String> texts = new ArrayList<>();
            for (int rank = 0; rank < communicator.size(); rank++)
            {
                final long start = (long)rank * length;
                final byte[] bytes = new byte[output.segment().get(ValueLayout.JAVA_INT_UNALIGNED, start)];
                MemorySegment.copy(
                    output.segment(), ValueLayout.JAVA_BYTE, start + Integer.BYTES, bytes, 0, bytes.length);
                texts.add(new String(bytes, StandardCharsets.UTF_8));
            }
            return texts;
        }
    }

    /**
     * Groups ranks by their texts.
     *
     * @param texts texts of all ranks, by rank.
     * @return ranks in ascending order, by text; texts in the order of their first ranks, without the empty text.
     */
    static Map<String, List<Integer>> group(final List<String> texts)
    {
        final Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < texts.size(); rank++)
        {
            if (!texts.get(rank).isEmpty())
            {
                ranks.computeIfAbsent(texts.get(rank), text -> new ArrayList<>()).add(rank);
            }
        }
        return ranks;
    }

    /**
     * Throws on all ranks if some have a problem. Collective.
     *
     * @param communicator the ranks.
     * @param failure      what some rank cannot do, such as {@code cannot load PyTorch}.
     * @param problem      this rank's problem, or empty.
     * @param fix          how to solve it, after a colon.
     * @param cause        cause of this rank's problem, or null.
     * @throws DistributedTrainingException if a problem is not empty; the message has all problems and their ranks.
     */
    static void requireNone(final Communicator communicator, final String failure, final String problem,
        final String fix, final Throwable cause)
    {
        final Map<String, List<Integer>> ranks = group(gather(communicator, problem));
        if (!ranks.isEmpty())
        {
            final List<String> parts = new ArrayList<>();
            ranks.forEach((text, on) -> parts.add("on " + name(on) + ": " + text));
            throw new DistributedTrainingException(
                failure + " " + String.join("; ", parts) + ": " + fix, all(ranks.values()), cause);
        }
    }

    /**
     * Lists ranks.
     *
     * @param groups groups of ranks.
     * @return the ranks of all groups in ascending order.
     */
    static List<Integer> all(final Collection<List<Integer>> groups)
    {
        return groups.stream().flatMap(List::stream).sorted().toList();
    }

    /**
     * Returns the ranks that differ from most.
     *
     * @param groups groups of ranks that agree.
     * @return the ranks that are not in the largest group; of equally large groups, the one with rank 0 counts as the
     *         largest.
     */
    static List<Integer> minority(final Collection<List<Integer>> groups)
    {
        List<Integer> largest = List.of();
        for (final List<Integer> group : groups)
        {
            if (group.size() > largest.size() || (group.size() == largest.size() && group.getFirst() == 0))
            {
                largest = group;
            }
        }
        final List<Integer> ranks = new ArrayList<>(all(groups));
        ranks.removeAll(largest);
        return ranks;
    }

    /**
     * Names ranks.
     *
     * @param ranks at least one rank.
     * @return text such as {@code rank 3} or {@code ranks 0, 2}.
     */
    static String name(final List<Integer> ranks)
    {
        return (ranks.size() == 1 ? "rank " : "ranks ") +
            ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /**
     * Describes an exception in one line.
     *
     * @param thrown the exception.
     * @return type and first line of the innermost cause.
     */
    static String describe(final Throwable thrown)
    {
        Throwable cause = thrown;
        while (cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        final String message = cause.getMessage();
        return cause.getClass().getSimpleName() +
            (message == null || message.isBlank() ? "" : ": " + message.lines().findFirst().orElseThrow());
    }
}
