/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

class HostRunsTest
{
    @Test
    void shouldHaveOneRunPerHostWhenHostsAreFilledInRankOrder()
    {
        final HostRuns runs = new HostRuns(HostMap.inOrder(10, 4));

        assertEquals(3, runs.number());
        assertEquals(4, runs.longest());
        assertEquals(8, runs.first(2));
        assertEquals(9, runs.last(2));
        assertEquals(2, runs.run(9));
    }

    @Test
    void shouldDivideHostsWhoseRanksAreNotConsecutive()
    {
        final HostRuns runs = new HostRuns(HostMap.of(List.of("a", "a", "b", "a", "b", "b", "b")));

        assertEquals(4, runs.number());
        assertEquals(3, runs.longest());
        assertEquals(List.of(0, 0, 1, 2, 3, 3, 3), IntStream.range(0, 7).map(runs::run).boxed().toList());
    }

    @Test
    void shouldHaveOneRunOnOneHost()
    {
        assertEquals(1, new HostRuns(HostMap.one(1)).number());
        assertEquals(5, new HostRuns(HostMap.one(5)).longest());
    }
}
