/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.Choice;
import org.tutti.tools.simulate.Method;
import org.tutti.tools.simulate.Prediction;

class ChoiceMapTest
{
    private static final String BEST = "rabenseifner";
    private static final String CHOSEN = "ring";
    private static final String OTHER = "one_shot";

    /** A map of one call is not shown, so the lists of most tests have this second one. */
    private static final List<Simulated> GOOD_CALL = List.of(
        chosen(8, 1024, 100, Method.FULL), candidate(8, 1024, BEST, 300, Method.FULL));

    @ParameterizedTest
    @CsvSource({
        // time of the chosen algorithm if that of the best is 100, class of the field
        "103, m0", "104, m1",
        "110, m1", "111, m2",
        "125, m2", "126, m3",
        "150, m3", "151, m4",
        "200, m4", "201, m5",
        "9900, m5"})
    void shouldColourFactorsUpToEachLimitAlike(final double seconds, final String colour)
    {
        final String html = map(
            candidate(4, 1024, OTHER, 20_000, Method.FULL), chosen(4, 1024, seconds, Method.FULL),
            candidate(4, 1024, BEST, 100, Method.FULL)).section();

        final String field = html.substring(html.indexOf("<td"), html.indexOf("</td>"));
        assertTrue(field.startsWith("<td class=\"" + colour + "\" title=\"4 ranks, 1 KiB&#10;chosen: ring, "), field);
        assertTrue(field.contains("&#10;best: rabenseifner, "), field);
        assertTrue(field.endsWith(
            String.format("<b>ring</b><br/>%d.%02d × rabenseifner", (int)seconds / 100, (int)seconds % 100)), field);
    }

    @ParameterizedTest
    @CsvSource({"50", "100"})
    void shouldMarkChosenAlgorithmAsBestWhenNoneIsFaster(final double seconds)
    {
        final ChoiceMap map = map(
            candidate(4, 1024, OTHER, 100, Method.FULL), chosen(4, 1024, seconds, Method.FULL));

        assertTrue(map.cells().getFirst().isBest());
        assertEquals(1, map.cells().getFirst().factor());
        assertTrue(map.section().contains("1.00 times the best\"><b>ring</b><br/>best</td>"), map.section());
    }

    @Test
    void shouldCompareWithSimulatedAlgorithmsOnly()
    {
        final ChoiceMap.Cell cell = map(
            candidate(4, 1024, OTHER, 1, Method.CLOSED_FORM), unpredicted(4, 1024, "two_shot", false),
            chosen(4, 1024, 120, Method.EXTENDED), candidate(4, 1024, BEST, 100, Method.SYMMETRIC)).cells().getFirst();

        assertEquals(BEST, cell.best().candidate().choice().algorithm().name());
        assertEquals(1.2, cell.factor());
    }

    @Test
    void shouldSayThatFactorIsApproximateWhenChosenAlgorithmIsNotSimulated()
    {
        final ChoiceMap map = map(
            chosen(4, 1024, 50, Method.CLOSED_FORM), candidate(4, 1024, BEST, 100, Method.FULL));

        assertFalse(map.cells().getFirst().isBest());
        assertTrue(map.section().contains("<b>ring</b><br/>about 0.50 × rabenseifner</td>"), map.section());
    }

    @Test
    void shouldLeaveFieldEmptyWhenNothingCanBeCompared()
    {
        final List<Simulated> results = new ArrayList<>(GOOD_CALL);
        // Ranks and sizes of other calls, without a prediction of the chosen algorithm, or with nothing simulated.
        results.addAll(List.of(
            unpredicted(4, 1024, CHOSEN, true), candidate(4, 1024, BEST, 100, Method.FULL),
            chosen(8, 2048, 100, Method.CLOSED_FORM), candidate(8, 2048, BEST, 100, Method.CLOSED_FORM),
            chosen(4, 2048, 300, Method.FULL), candidate(4, 2048, BEST, 100, Method.FULL)));

        final String html = ChoiceMap.of(results).section();

        final List<String> fields = html.substring(html.indexOf("<tbody>")).lines()
            .map(row -> row.replaceAll("(?s)<td class=\"(\\w+)\".*?</td>", "$1 ").replaceAll("<[^>]*>", "|")).toList();
        assertEquals(List.of("||1 KiB|none m0 |", "||2 KiB|m5 none |"), fields.subList(1, 3));
    }

    @Test
    void shouldCountGoodChoicesAndNameTheWorst()
    {
        assertEquals(Optional.of("in 1 of 2 calls, the chosen algorithm takes at most 1.03 times as long as the best " +
            "one; in the worst, 2.50 times: ring on 4 ranks, 1K, best rabenseifner"), ChoiceMap.summary(results(
            chosen(4, 1024, 250, Method.FULL), candidate(4, 1024, BEST, 100, Method.FULL))));
    }

    @Test
    void shouldNotMapOneCall()
    {
        assertEquals("", ChoiceMap.of(GOOD_CALL).section());
        assertEquals(Optional.empty(), ChoiceMap.summary(GOOD_CALL));
    }

    private static ChoiceMap map(final Simulated... call)
    {
        return ChoiceMap.of(results(call));
    }

    private static List<Simulated> results(final Simulated... call)
    {
        final List<Simulated> results = new ArrayList<>(List.of(call));
        results.addAll(GOOD_CALL);
        return results;
    }

    private static Simulated chosen(final int size, final long bytes, final double seconds, final Method method)
    {
        return simulated(size, bytes, CHOSEN, true, new Prediction(seconds, method, 0, size, 1, 1));
    }

    private static Simulated candidate(
        final int size, final long bytes, final String algorithm, final double seconds, final Method method)
    {
        return simulated(size, bytes, algorithm, false, new Prediction(seconds, method, 0, size, 1, 1));
    }

    private static Simulated unpredicted(
        final int size, final long bytes, final String algorithm, final boolean isChosen)
    {
        return simulated(size, bytes, algorithm, isChosen, null);
    }

    private static Simulated simulated(
        final int size, final long bytes, final String algorithm, final boolean isChosen, final Prediction prediction)
    {
        final Choice choice = new Choice(Algorithms.named(Collective.ALLREDUCE, algorithm), 1, 1, "");
        return new Simulated(size, new Candidate(choice, isChosen, true, null, bytes), prediction,
            prediction == null ? "not predicted" : null);
    }
}
