/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.tutti.collectives.LocalJob;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SettingsComparisonTest
{
    private static void compare(final List<Map<String, String>> settings, final Class<? extends Exception> error,
        final String message, final List<Integer> ranks)
    {
        LocalJob.run(settings.size(), communicator ->
        {
            final SettingsComparison comparison = new SettingsComparison(communicator);
            final Executable call = () ->
                comparison.requireEqual(new TreeMap<>(settings.get(communicator.rank())), "settings", "equal them");
            final Exception thrown = assertThrows(error, call);
            assertEquals(message, thrown.getMessage());
            if (thrown instanceof final LightGbmException difference)
            {
                assertEquals(ranks, difference.ranks());
            }
            // The communicator stays usable.
            comparison.requireEqual(Map.of("a", "1"), "settings", "equal them");
        });
    }

    @Test
    void shouldReturnWhenSettingsAreEqual()
    {
        LocalJob.run(3, communicator ->
        {
            final SettingsComparison comparison = new SettingsComparison(communicator);
            comparison.requireEqual(Map.of("a", "1"), "settings", "equal them");
            comparison.requireEqual(Map.of(), "settings", "equal them");
            comparison.requireEqual(Map.of(SettingsComparison.INVALID, "a=2"), "settings", "equal them");
        });
    }

    @Test
    void shouldNameFirstSettingThatDiffersWithRanks()
    {
        compare(List.of(Map.of("a", "1", "b", "2"), Map.of("a", "1", "b", "3"), Map.of("a", "1", "b", "2")),
            LightGbmException.class, "settings differ between ranks: b=2 on ranks 0, 2, b=3 on rank 1: equal them",
            List.of(1));
        compare(List.of(Map.of("a", "1", "b", "2"), Map.of("a", "4", "b", "3")),
            LightGbmException.class, "settings differ between ranks: a=1 on rank 0, a=4 on rank 1; b differs, too: " +
            "equal them", List.of(1));
        compare(List.of(Map.of("a", "1", "b", "2", "c", "é"), Map.of("a", "4"), Map.of("a", "4")),
            LightGbmException.class, "settings differ between ranks: a=1 on rank 0, a=4 on ranks 1, 2; b and 1 more " +
            "differ, too: equal them", List.of(0));
        compare(List.of(Map.of("a", "1"), Map.of("a", "1", "b", "x=y")),
            LightGbmException.class, "settings differ between ranks: no b on rank 0, b=x=y on rank 1: equal them",
            List.of(1));
        compare(List.of(Map.of(), Map.of("a", "1")), LightGbmException.class,
            "settings differ between ranks: no a on rank 0, a=1 on rank 1: equal them", List.of(1));
    }

    @Test
    void shouldNameRanksWithInvalidSettingsOnAllRanks()
    {
        final Map<String, String> invalid = Map.of(SettingsComparison.INVALID, "a=2: must be 3");
        compare(List.of(Map.of("a", "1"), invalid), IllegalArgumentException.class, "on rank 1: a=2: must be 3",
            List.of());
        compare(List.of(invalid, Map.of("a", "1"), Map.of(SettingsComparison.INVALID, "c=1: remove it")),
            IllegalArgumentException.class, "on rank 0: a=2: must be 3; on rank 2: c=1: remove it", List.of());
    }

    @Test
    void shouldGatherTextsOfAllLengths()
    {
        LocalJob.run(3, communicator -> assertEquals(List.of("", "é", "éé"),
            SettingsComparison.gather(communicator, "é".repeat(communicator.rank()))));
    }

    @Test
    void shouldNameTheRanksThatDoNotHaveTheValueOfMost()
    {
        assertEquals(List.of(0, 3), new RanksByValue(List.of("a", "b", "b", "c")).others());
        assertEquals(List.of(1, 2), new RanksByValue(List.of("a", "b", "b", "a")).others());
        assertEquals(List.of(), new RanksByValue(List.of("a", "a")).others());
    }

    @Test
    void shouldAbbreviateLongValues()
    {
        final String text = new RanksByValue(List.of("7".repeat(1_000), "8")).text();

        assertTrue(text.matches("7{120}… on rank 0, 8 on rank 1"), text);
    }
}
