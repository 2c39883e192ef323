/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.endpoint.Immediate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ArrivalCountersTest
{
    private final ArrivalCounters arrivals = new ArrivalCounters(3, 4);

    @Test
    void shouldCountByRoundPeerAndChannel()
    {
        arrivals.add(6, 1, 2, 77, 0);
        arrivals.add(6, 1, 2, 77, 0);

        assertFalse(arrivals.has(7, 1, 2));
        assertFalse(arrivals.has(6, 2, 2));
        assertFalse(arrivals.has(6, 1, 3));
        assertTrue(arrivals.has(6, 1, 2));
        assertEquals(77, arrivals.take(6, 1, 2));
        assertTrue(arrivals.has(6, 1, 2));
        assertEquals(77, arrivals.take(6, 1, 2));
        assertFalse(arrivals.has(6, 1, 2));
    }

    @Test
    void shouldFindUnawaitedMessage()
    {
        assertEquals(-1, arrivals.unawaited(4));
        arrivals.add(4, 2, 0, 77, 0);
        arrivals.add(5, 1, 0, 78, 0);

        assertEquals(2, arrivals.unawaited(4));
        assertEquals(1, arrivals.unawaited(5));
        arrivals.take(4, 2, 0);
        assertEquals(-1, arrivals.unawaited(4));
        assertEquals(1, arrivals.unawaited(5));
    }

    @Test
    void shouldFindUnawaitedReadyInItsRound()
    {
        arrivals.addReady(1, Immediate.ofReady(9, 77));

        assertEquals(-1, arrivals.unawaited(8));
        assertEquals(1, arrivals.unawaited(9));
        arrivals.takeReady(9, 1);
        assertEquals(-1, arrivals.unawaited(9));
    }

    @Test
    void shouldFindPeerThatDisagreesAboutTheRound()
    {
        arrivals.add(4, 0, 3, 77, 0);
        assertEquals(-1, arrivals.disagreeing(4, 77));
        arrivals.add(5, 1, 3, 78, 0);
        assertEquals(-1, arrivals.disagreeing(4, 77));

        arrivals.add(4, 2, 3, 78, 0);
        assertEquals(2, arrivals.disagreeing(4, 77));
        arrivals.addReady(1, Immediate.ofReady(4, 79));
        assertEquals(0, arrivals.disagreeing(4, 78));
        arrivals.take(4, 0, 3);
        assertEquals(1, arrivals.disagreeing(4, 78));
    }

    @Test
    void shouldKeepOneReadyPerPeerAndSlot()
    {
        final int ready = Immediate.ofReady(0, 0);

        assertFalse(arrivals.hasReady(0, 1));
        assertTrue(arrivals.addReady(1, ready));
        assertTrue(arrivals.hasReady(0, 1));
        assertFalse(arrivals.hasReady(0, 2));
        assertFalse(arrivals.hasReady(1, 1));
        assertFalse(arrivals.addReady(1, ready));
        assertFalse(arrivals.addReady(1, Immediate.ofReady(4, 0)));
        assertTrue(arrivals.addReady(1, Immediate.ofReady(3, 0)));
        assertEquals(ready, arrivals.takeReady(0, 1));
        assertFalse(arrivals.hasReady(0, 1));
        assertEquals(1, arrivals.unawaited());
    }
}
