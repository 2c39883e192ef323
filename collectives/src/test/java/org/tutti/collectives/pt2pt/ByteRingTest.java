/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages in the ring are contiguous, never overlap, and their reader finds them. */
class ByteRingTest
{
    private static final int LONGEST = MessageHeader.EAGER_LENGTH + MessageInbox.MAX_EAGER;

    /** A message in the ring: position, and position after it. */
    private record Message(long place, long after)
    {
    }

    @Test
    void shouldPlaceMessagesOfAllLengthsAtAllOffsets()
    {
        for (long used = 0; used < 2L * ByteRing.LENGTH; used += ByteRing.UNIT)
        {
            for (int length = 1; length <= LONGEST; length += length < 200 ? 1 : 61)
            {
                final long place = ByteRing.place(used, length);
                assertTrue(place >= used && place - used < length + (long)ByteRing.UNIT);
                assertTrue(ByteRing.offset(place) + length <= ByteRing.LENGTH);
                assertEquals(place, ByteRing.received(used, ByteRing.offset(place) / ByteRing.UNIT));
                assertTrue(ByteRing.after(place, length) >= place + length);
            }
        }
    }

    @Test
    void shouldNeverOverwriteMessagesThatAreNotTaken()
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final Deque<Message> notTaken = new ArrayDeque<>();
        long used = 0;
        long position = 0;
        for (int step = 0; step < 100_000; step++)
        {
            final int length = 1 + random.nextInt(random.nextBoolean() ? LONGEST : 64);
            final long freed = notTaken.isEmpty() ? used : position;
            if (random.nextInt(100) < 55 && ByteRing.hasRoom(used, freed, length))
            {
                final long place = ByteRing.place(used, length);
                used = ByteRing.after(place, length);
                for (final Message other : notTaken)
                {
                    assertTrue(used - other.place <= ByteRing.LENGTH, () -> other + " overwritten");
                }
                notTaken.add(new Message(place, used));
            }
            else if (!notTaken.isEmpty())
            {
                final Message taken = notTaken.remove();
                position = ByteRing.received(position, ByteRing.offset(taken.place) / ByteRing.UNIT);
                assertEquals(taken.place, position);
                position = taken.after;
            }
        }
    }

    @Test
    void shouldHaveNoRoomWhenFull()
    {
        assertTrue(ByteRing.hasRoom(0, 0, ByteRing.LENGTH));
        assertFalse(ByteRing.hasRoom(ByteRing.LENGTH, 0, 1));
        assertTrue(ByteRing.hasRoom(ByteRing.LENGTH, ByteRing.UNIT, 1));
        assertFalse(ByteRing.hasRoom(ByteRing.LENGTH, ByteRing.UNIT, ByteRing.UNIT + 1));
    }
}
