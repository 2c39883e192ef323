/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.WorkCompletion;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CompletionRingTest
{
    private static final int CAPACITY = 5;
    private static final int ALICE = 0x1001;
    private static final int BOB = 0x2002;

    private static final int CHANNEL = 64;
    private static final int RING = 128;

    private final long control = UnsafeApi.allocateMemory(RING + CompletionRing.length(CAPACITY));
    private final long ring = control + RING;

    CompletionRingTest()
    {
        UnsafeApi.setMemory(control, RING, (byte)0);
        CompletionRing.init(ring, CAPACITY, 0, 7);
    }

    @AfterEach
    void free()
    {
        UnsafeApi.freeMemory(control);
    }

    @Test
    void shouldHoldCapacityOnEveryLap()
    {
        for (int lap = 0; lap < 100; lap++)
        {
            for (int i = 0; i < CAPACITY; i++)
            {
                assertTrue(add(ALICE, lap * CAPACITY + i));
            }
            assertFalse(add(ALICE, -1));
            for (int i = 0; i < CAPACITY; i++)
            {
                assertEquals(lap * CAPACITY + i, take());
            }
            assertEquals(-1, take());
        }
    }

    @Test
    void shouldHideSlotWhenClaimedButNotPublished()
    {
        final long first = CompletionRing.claim(control, ring, ALICE);
        assertTrue(add(BOB, 2));

        assertEquals(-1, take());

        put(first, ALICE, 1);
        assertEquals(1, take());
        assertEquals(2, take());
    }

    @Test
    void shouldReportNoClaimantWhenRingIsEmpty()
    {
        assertEquals(0, CompletionRing.claimant(control, ring, 0));
        add(ALICE, 1);
        take();
        assertEquals(0, CompletionRing.claimant(control, ring, 1));
    }

    @Test
    void shouldReportLastClaimant()
    {
        add(BOB, 1);
        take();
        CompletionRing.claim(control, ring, ALICE);

        assertEquals(ALICE, CompletionRing.claimant(control, ring, 1));
    }

    @Test
    void shouldReportEveryClaimantOfARun()
    {
        final int[] tokens = {ALICE, ALICE, BOB, ALICE, BOB};
        for (int lap = 0; lap < 7; lap++)
        {
            final int start = CompletionRing.head(ring);
            final long[] positions = new long[tokens.length];
            for (int i = 0; i < tokens.length; i++)
            {
                positions[i] = CompletionRing.claim(control, ring, tokens[i]);
            }
            for (int i = 0; i < tokens.length; i++)
            {
                assertEquals(
                    tokens[i], CompletionRing.claimant(control, ring, start + i), "lap " + lap + ", slot " + i);
            }
            // Published in the middle: the slots before it keep their claimants.
            put(positions[1], ALICE, 1);
            put(positions[2], BOB, 2);
            assertEquals(ALICE, CompletionRing.claimant(control, ring, start));
            assertEquals(ALICE, CompletionRing.claimant(control, ring, start + 3));
            CompletionRing.head(ring, start + tokens.length);
        }
    }

    @Test
    void shouldContinueWhenASlotIsSkipped()
    {
        CompletionRing.claim(control, ring, ALICE);
        add(BOB, 2);

        CompletionRing.head(ring, CompletionRing.head(ring) + 1);

        assertEquals(2, take());
        for (int i = 0; i < 3 * CAPACITY; i++)
        {
            assertTrue(add(BOB, i));
            assertEquals(i, take());
        }
    }

    @Test
    void shouldLoseNoEntryWhenSeveralProducersRun() throws InterruptedException
    {
        final int producers = 4;
        final int each = 50_000;
        final List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++)
        {
            final int token = ALICE + p;
            final long base = (long)p << 32;
            threads.add(Thread.ofPlatform().daemon().start(() -> produce(token, base, each)));
        }

        final int[] next = new int[producers];
        int taken = 0;
        while (taken < producers * each)
        {
            final long value = take();
            if (value < 0)
            {
                Thread.onSpinWait();
                continue;
            }
            final int producer = (int)(value >>> 32);
            assertEquals(next[producer]++, (int)value, "order of producer " + producer);
            taken++;
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(-1, take());
    }

    @Test
    void shouldRaiseOneEventPerArming()
    {
        CompletionRing.init(ring, CAPACITY, CHANNEL, 7);

        CompletionRing.arm(ring, true);
        publish(false);
        assertFalse(CompletionRing.takeEvent(ring), "not solicited");
        publish(true);
        publish(true);

        assertTrue(CompletionRing.takeEvent(ring));
        assertFalse(CompletionRing.takeEvent(ring));
        assertNotEquals(0, UnsafeApi.getInt(control + CHANNEL));
    }

    private void publish(final boolean isSolicited)
    {
        CompletionRing.publish(control, ring, CompletionRing.claim(control, ring, ALICE), ALICE, isSolicited);
    }

    @SuppressWarnings("ThreadPriorityCheck") // More threads than cores.
    private void produce(final int token, final long base, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            while (!add(token, base + i))
            {
                Thread.yield();
            }
        }
    }

    private boolean add(final int token, final long value)
    {
        final long position = CompletionRing.claim(control, ring, token);
        if (position < 0)
        {
            return false;
        }
        put(position, token, value);
        return true;
    }

    private void put(final long position, final int token, final long value)
    {
        CompletionRing.putRequest(CompletionRing.slot(control, ring, position), value, 0, 0, 0);
        CompletionRing.publish(control, ring, position, token, false);
    }

    private long take()
    {
        final int head = CompletionRing.head(ring);
        final long slot = CompletionRing.peek(control, ring, head);
        if (slot == 0)
        {
            return -1;
        }
        final long value = UnsafeApi.getLong(slot + WorkCompletion.WR_ID_OFFSET);
        CompletionRing.head(ring, head + 1);
        return value;
    }
}
