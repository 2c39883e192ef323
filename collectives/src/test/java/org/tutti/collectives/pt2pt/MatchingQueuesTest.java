/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.PointToPoint.ANY_SOURCE;
import static org.tutti.collectives.PointToPoint.ANY_TAG;

/** The queues match as two lists do that are searched from the front. */
class MatchingQueuesTest
{
    private static final int SOURCES = 2;
    private static final int TAGS = 2;
    /** Receives from each source or any, with each tag or any. */
    private static final int RECEIVES = (SOURCES + 1) * (TAGS + 1);
    private static final int MESSAGES = SOURCES * TAGS;
    /** Receives, messages, and the withdrawal of the first and the last receive posted. */
    private static final int CHOICES = RECEIVES + MESSAGES + 2;
    private static final int STEPS = 5;

    private static final class Receive extends PostedReceive
    {
        private final int source;
        private final int tag;

        Receive(final int source, final int tag)
        {
            this.source = source;
            this.tag = tag;
        }

        @Override
        int source()
        {
            return source;
        }

        @Override
        int tag()
        {
            return tag;
        }

        boolean matches(final Message message)
        {
            return (source == ANY_SOURCE || source == message.source) && (tag == ANY_TAG || tag == message.tag);
        }
    }

    private static final class Message extends UnexpectedMessage
    {
        private final int source;
        private final int tag;

        Message(final int source, final int tag)
        {
            this.source = source;
            this.tag = tag;
        }

        @Override
        int source()
        {
            return source;
        }

        @Override
        int tag()
        {
            return tag;
        }
    }

    /** The queues and their model. */
    private static final class Pair
    {
        private final MatchingQueues<Receive, Message> queues;
        private final List<Receive> posted = new ArrayList<>();
        private final List<Message> unexpected = new ArrayList<>();

        Pair(final int sources)
        {
            queues = new MatchingQueues<>(sources);
        }

        void receive(final Receive receive)
        {
            final Message expected =
                unexpected.stream().filter(receive::matches).findFirst().orElse(null);
            assertSame(expected, queues.find(receive.source, receive.tag));
            assertSame(expected, queues.takeUnexpected(receive.source, receive.tag));
            if (expected == null)
            {
                posted.add(receive);
                queues.post(receive);
            }
            unexpected.remove(expected);
        }

        void arrive(final Message message)
        {
            final Receive expected =
                posted.stream().filter(receive -> receive.matches(message)).findFirst().orElse(null);
            assertSame(expected, queues.takePosted(message.source, message.tag));
            if (expected == null)
            {
                unexpected.add(message);
                queues.add(message);
            }
            posted.remove(expected);
        }

        void withdraw(final int index)
        {
            if (index < posted.size())
            {
                final Receive withdrawn = posted.remove(index);
                assertTrue(queues.withdraw(withdrawn));
                assertFalse(queues.withdraw(withdrawn));
            }
        }

        void requireSame(final int sources)
        {
            for (int source = ANY_SOURCE; source < sources; source++)
            {
                final int from = source;
                final List<Message> listed = new ArrayList<>();
                for (Message each = queues.firstUnexpected(from); each != null;
                    each = queues.nextUnexpected(each, from))
                {
                    listed.add(each);
                }
                assertEquals(unexpected.stream()
                    .filter(message -> from == ANY_SOURCE || from == message.source).toList(), listed);
            }
        }
    }

    @Test
    void shouldMatchNoReceiveAfterClearing()
    {
        final MatchingQueues<Receive, Message> queues = new MatchingQueues<>(SOURCES);
        for (final int source : new int[] {ANY_SOURCE, 0, 1})
        {
            queues.post(new Receive(source, ANY_TAG));
            queues.post(new Receive(source, 0));
        }
        queues.clearPosted();
        assertNull(queues.takePosted(0, 0));
        assertNull(queues.takePosted(1, 0));
    }

    @Test
    void shouldMatchAsListsDoInAllShortSequences()
    {
        final int[] choices = new int[STEPS];
        do
        {
            final Pair pair = new Pair(SOURCES);
            for (final int choice : choices)
            {
                step(pair, choice);
            }
            pair.requireSame(SOURCES);
        }
        while (next(choices));
    }

    private static void step(final Pair pair, final int choice)
    {
        if (choice < RECEIVES)
        {
            pair.receive(new Receive(choice / (TAGS + 1) - 1, choice % (TAGS + 1) - 1));
        }
        else if (choice < RECEIVES + MESSAGES)
        {
            final int message = choice - RECEIVES;
            pair.arrive(new Message(message / TAGS, message % TAGS));
        }
        else
        {
            pair.withdraw(choice == CHOICES - 1 ? 0 : Math.max(0, pair.posted.size() - 1));
        }
    }

    private static boolean next(final int[] choices)
    {
        for (int i = 0; i < choices.length; i++)
        {
            choices[i] = (choices[i] + 1) % CHOICES;
            if (choices[i] != 0)
            {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldMatchAsListsDoInLongSequences()
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final int sources = 5;
        final Pair pair = new Pair(sources);
        for (int step = 0; step < 20_000; step++)
        {
            // Phases with more receives, then with more messages, so that both queues become long.
            final boolean receives = random.nextInt(10) < (step / 1000 % 2 == 0 ? 7 : 3);
            if (random.nextInt(20) == 0)
            {
                pair.withdraw(random.nextInt(1 + pair.posted.size()));
            }
            else if (receives)
            {
                pair.receive(new Receive(random.nextInt(sources + 1) - 1, random.nextInt(8) - 1));
            }
            else
            {
                pair.arrive(new Message(random.nextInt(sources), random.nextInt(7)));
            }
        }
        pair.requireSame(sources);
    }

    @Test
    void shouldFindNothingInEmptyQueues()
    {
        final MatchingQueues<Receive, Message> queues = new MatchingQueues<>(3);
        assertNull(queues.find(ANY_SOURCE, ANY_TAG));
        assertNull(queues.takeUnexpected(2, 0));
        assertNull(queues.takePosted(1, 0));
        assertNull(queues.firstUnexpected(2));
    }
}
