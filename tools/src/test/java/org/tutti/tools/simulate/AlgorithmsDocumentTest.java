/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * docs/algorithms.md says of each algorithm what its javadoc says, and shows its schedule. With
 * {@code TUTTI_WRITE_GOLDEN=1} in the environment this writes the document and the pictures anew.
 */
class AlgorithmsDocumentTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    private static final Path DOCUMENT = ROOT.resolve("docs/algorithms.md");
    private static final boolean IS_WRITTEN = "1".equals(System.getenv("TUTTI_WRITE_GOLDEN"));
    private static final int SIZE = 8;
    private static final int SEGMENTS = 4;
    private static final String HEAD = """
        # The algorithms

        Written by `AlgorithmsDocumentTest` from the algorithms' javadoc and schedules; do not change it by hand:
        `TUTTI_WRITE_GOLDEN=1 mvn -q verify -pl tools -am -Dtest=AlgorithmsDocumentTest
        -Dsurefire.failIfNoSpecifiedTests=false` does. Which call gets which algorithm, `tutti explain` says; what each
        would take on many ranks, `tutti simulate` ([simulator.md](simulator.md)).

        In the pictures each rank has a line, and time goes to the right. A solid arrow is a message with data, a dotted
        line one without. Every element takes as long as any other on its way, and nothing else takes any time; what a
        rank sends goes one after the other, and so does what it receives. Numbers are the elements that are sent; in
        parentheses how many, of what lies in SCRATCH. Where several segments are faster than one, there are %d.

        Hierarchical ones are shown on hosts of four ranks, or of two if there are only four. Blocks of up to *eager*
        elements, and a segment, are sent without asking: 4 KiB where all ranks share a host, else 0, as in pictures.

        The tables count, for one segment, what a rank sends at most: messages, with credits, and data, in parts of the
        longest buffer. A round is a message that waits for another, credits included, which the texts do not count.
        """.formatted(SEGMENTS);

    static Stream<Algorithm> algorithms()
    {
        return Algorithms.all().stream();
    }

    @Test
    void shouldSayWhatTheJavadocSays() throws IOException
    {
        final StringBuilder text = new StringBuilder(HEAD);
        for (final Collective collective : Collective.values())
        {
            if (!Algorithms.of(collective).isEmpty())
            {
                text.append("\n## ").append(nameOf(collective)).append('\n');
            }
            for (final Algorithm algorithm : Algorithms.of(collective))
            {
                text.append("\n### ").append(nameOf(collective)).append(": ").append(algorithm.name()).append("\n\n")
                    .append(Javadoc.of(ROOT, algorithm.generator().getClass()))
                    .append("\n![").append(algorithm.name()).append(" on ").append(SIZE).append(" ranks](")
                    .append("pictures/").append(pictureOf(algorithm)).append(")\n\n")
                    .append(table(algorithm));
            }
        }

        compare(DOCUMENT, text.toString());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldEndEveryParagraphWithAFullStop(final Algorithm algorithm) throws IOException
    {
        for (final String paragraph : Javadoc.of(ROOT, algorithm.generator().getClass()).strip().split("\n\n", -1))
        {
            assertTrue(paragraph.endsWith("."),
                () -> algorithm + " has a paragraph that does not end with a full stop: " + paragraph);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldShowTheSchedule(final Algorithm algorithm) throws IOException
    {
        final List<Schedule> whole = schedules(algorithm, SIZE, SIZE, SIZE);
        final List<Schedule> segmented = schedules(algorithm, SIZE, SIZE, SIZE / SEGMENTS);
        final boolean isPipelined = SchedulePicture.units(segmented) < SchedulePicture.units(whole);

        compare(ROOT.resolve("docs/pictures").resolve(pictureOf(algorithm)),
            SchedulePicture.draw(algorithm.name(), isPipelined ? segmented : whole));
    }

    private static void compare(final Path file, final String expected) throws IOException
    {
        if (IS_WRITTEN)
        {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }
        assertEquals(expected, Files.exists(file) ? Files.readString(file) : "(missing)",
            file + " is out of date: run this test with TUTTI_WRITE_GOLDEN=1");
    }

    private static String table(final Algorithm algorithm)
    {
        final StringBuilder text = new StringBuilder("| ranks | rounds | messages | data |\n|---|---|---|---|\n");
        for (final int size : new int[] {2, 4, 7, 8, 64})
        {
            final long whole = 1000L * size;
            final long count = algorithm.collective().hasBlocks() ? whole / size : whole;
            final List<Schedule> schedules = schedules(algorithm, size, count, count);
            long messages = 0;
            long elements = 0;
            for (int rank = 0; rank < size; rank++)
            {
                final RankProgram program =
                    RankProgramBuilder.of(schedules.get(rank), rank, size, 1, Integer.MAX_VALUE);
                long sent = 0;
                long data = 0;
                for (int step = 0; step < program.steps(); step++)
                {
                    final byte kind = program.kinds[step];
                    sent += kind == RankProgram.PUT || kind == RankProgram.SIGNAL ? 1 : 0;
                    data += kind == RankProgram.PUT ? program.lengths[step] : 0;
                }
                messages = Math.max(messages, sent);
                elements = Math.max(elements, data);
            }
            text.append(String.format(Locale.ROOT, "| %d | %d | %d | %.3f |%n", size, rounds(algorithm, size, count),
                messages, (double)elements / whole));
        }
        return text.toString();
    }

    /** With a latency of one unit, and nothing else that takes time. */
    private static long rounds(final Algorithm algorithm, final int size, final long count)
    {
        final LinkClass link = new LinkClass(0, 0, 1, 0, 0, false);
        final CostModel model = new CostModel(link, link, 0, 0, 0, 0, Integer.MAX_VALUE, 1, 0, 0);
        return Math.round(Calls.simulator(model, "flat", size)
            .full(Calls.of(algorithm, size, count, count, 4)).seconds() * 1e9);
    }

    private static List<Schedule> schedules(
        final Algorithm algorithm, final int size, final long count, final long segment)
    {
        final ScheduleRequest request = Calls.of(algorithm, size, count, segment, 4).requests().apply(count);
        return IntStream.range(0, size).mapToObj((rank) -> algorithm.generate(request.withRank(rank))).toList();
    }

    private static String pictureOf(final Algorithm algorithm)
    {
        return nameOf(algorithm.collective()) + "-" + algorithm.name() + ".svg";
    }

    private static String nameOf(final Collective collective)
    {
        return collective.name().toLowerCase(Locale.ROOT);
    }
}
