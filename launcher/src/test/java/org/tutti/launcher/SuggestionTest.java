/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest
{
    @ParameterizedTest
    @CsvSource({
        "--tga, --tag, 1", "rnu, run, 1", "hello, hello, 0", "helo, hello, 1", "perf, pi, 3", "'', ab, 2",
        "--output, --output-dir, 4"})
    void shouldComputeEditDistance(final String a, final String b, final int distance)
    {
        assertEquals(distance, Suggestion.distance(a, b));
        assertEquals(distance, Suggestion.distance(b, a));
    }

    @Test
    void shouldSuggestOnlySimilarWords()
    {
        assertEquals("; did you mean 'run'?", Suggestion.hint("rnu", List.of("perf", "run")));
        assertEquals("; did you mean 'run'?", Suggestion.hint("rn", List.of("perf", "run")));
        assertEquals("; did you mean '-np'?", Suggestion.hint("-nb", List.of("-np", "-q")));
        assertEquals("", Suggestion.hint("python3", List.of("perf", "run")));
        assertEquals("", Suggestion.hint("-z", List.of("-n", "-x", "--tag")));
    }
}
