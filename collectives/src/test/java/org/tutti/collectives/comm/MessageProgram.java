/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.ReceiveRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.PointToPoint.ANY_SOURCE;
import static org.tutti.collectives.PointToPoint.ANY_TAG;

/**
 * A random program of sends and receives with tags, the same on all ranks. The receives of a rank match disjoint sets
 * of messages, so whatever the order of events is, each message is received, and which one a receive gets follows from
 * MPI's rules and the source in its status: the next one of that source which its source and tag match.
 */
final class MessageProgram
{
    private static final int TAGS = 3;
    private static final int[] COUNTS =
        {0, 1, 2, 4, 5, 10, 16, 1_000, 1_023, 1_024, 1_025, 3_000, 16_384, 100_000};

    /** A message, by its number among those of its source and destination. */
    private record Message(int source, int dest, int number, int tag, int count)
    {
        int value()
        {
            return 1_000_003 * source + 10_007 * dest + 31 * number + tag;
        }
    }

    /** What a receive matches. */
    private record Pattern(int source, int tag)
    {
        boolean matches(final Message message)
        {
            return (source == ANY_SOURCE || source == message.source) && (tag == ANY_TAG || tag == message.tag);
        }
    }

    /** A receive that has been started. */
    private record Receive(Pattern pattern, DataBuffer buffer, ReceiveRequest request)
    {
    }

    private final List<Message> messages = new ArrayList<>();
    private final Communicator communicator;
    private final Random order;
    private final List<Pattern> patterns = new ArrayList<>();
    /** By pattern, then by source: the number of messages received. */
    private final Map<Pattern, int[]> received = new HashMap<>();

    /**
     * Creates the program of one rank.
     *
     * @param seed seed of the program, the same on all ranks.
     */
    MessageProgram(final Communicator communicator, final long seed)
    {
        this.communicator = communicator;
        final Random random = new Random(seed);
        final int size = communicator.size();
        for (int source = 0; source < size; source++)
        {
            for (int dest = 0; dest < size; dest++)
            {
                final int number = source == dest ? 0 : random.nextInt(25);
                for (int i = 0; i < number; i++)
                {
                    messages.add(new Message(
                        source, dest, i, random.nextInt(TAGS), COUNTS[random.nextInt(COUNTS.length)]));
                }
            }
        }
        order = new Random(seed * 31 + communicator.rank());
        choosePatterns();
    }

    /** Chooses patterns such that each message to this rank matches one, and adds it once per message. */
    private void choosePatterns()
    {
        final int rank = communicator.rank();
        final int mode = order.nextInt(3);
        final boolean[] isAny = new boolean[Math.max(communicator.size(), TAGS)];
        for (int i = 0; i < isAny.length; i++)
        {
            isAny[i] = order.nextBoolean();
        }
        for (final Message message : messages)
        {
            if (message.dest == rank)
            {
                patterns.add(switch (mode)
                {
                    case 0 -> new Pattern(message.source, isAny[message.source] ? ANY_TAG : message.tag);
                    case 1 -> new Pattern(isAny[message.tag] ? ANY_SOURCE : message.source, message.tag);
                    default -> new Pattern(ANY_SOURCE, ANY_TAG);
                });
            }
        }
        Collections.shuffle(patterns, order);
        patterns.forEach(pattern -> received.put(pattern, new int[communicator.size()]));
    }

    /** Sends and receives all messages, with collectives in between. */
    void run()
    {
        final List<Message> toSend = new ArrayList<>(
            messages.stream().filter(message -> message.source == communicator.rank()).toList());
        final List<Request> sent = new ArrayList<>();
        final List<DataBuffer> inputs = new ArrayList<>();
        final List<Receive> started = new ArrayList<>();
        int next = 0;
        final int blocking = order.nextInt(1 + patterns.size());
        while (!toSend.isEmpty() || next < patterns.size() - blocking)
        {
            if (next == patterns.size() - blocking || (!toSend.isEmpty() && order.nextBoolean()))
            {
                final Message message = toSend.removeFirst();
                inputs.add(PointToPointCases.filled(communicator, message.count, message.value()));
                sent.add(communicator.isend(inputs.getLast(), message.dest, message.tag));
            }
            else
            {
                started.add(start(patterns.get(next++)));
            }
        }
        final DataBuffer sum = PointToPointCases.filled(communicator, 1_000, 0);
        final Request reduced = communicator.iallreduce(sum, ReduceOp.MAX);
        // The order of receives of one pattern is that in which they were posted, whatever the order of awaits is.
        final List<Receive> awaited = new ArrayList<>(started);
        Collections.shuffle(awaited, order);
        awaited.subList(0, awaited.size() / 2).forEach(receive -> receive.request.await());
        final MessageStatus status = new MessageStatus();
        final List<Runnable> checks = new ArrayList<>();
        while (next < patterns.size())
        {
            final Pattern pattern = patterns.get(next++);
            if (order.nextBoolean())
            {
                communicator.probe(pattern.source, pattern.tag, status);
                assertTrue(communicator.iprobe(pattern.source, pattern.tag, null));
            }
            final DataBuffer buffer = buffer();
            communicator.recv(buffer, pattern.source, pattern.tag, status);
            final int source = status.source();
            final int tag = status.tag();
            final long count = status.count();
            checks.add(() -> check(pattern, buffer, source, tag, count));
        }
        started.forEach(receive ->
        {
            receive.request.await();
            final MessageStatus of = receive.request.status();
            check(receive.pattern, receive.buffer, of.source(), of.tag(), of.count());
        });
        checks.forEach(Runnable::run);
        sent.forEach(Request::await);
        inputs.forEach(DataBuffer::close);
        reduced.await();
        sum.close();
        // Wildcards of a rank that is still in this program must not match messages of the next one.
        communicator.barrier();
    }

    private Receive start(final Pattern pattern)
    {
        final DataBuffer buffer = buffer();
        return new Receive(pattern, buffer, communicator.irecv(buffer, pattern.source, pattern.tag));
    }

    private DataBuffer buffer()
    {
        return communicator.allocate(DataType.INT32, COUNTS[COUNTS.length - 1]);
    }

    /** Checks that a receive got the next message of its source that it matches. */
    private void check(
        final Pattern pattern, final DataBuffer buffer, final int source, final int tag, final long count)
    {
        final int number = received.get(pattern)[source]++;
        final Message expected = messages.stream()
            .filter(message -> message.source == source && message.dest == communicator.rank() &&
                pattern.matches(message))
            .skip(number).findFirst().orElseThrow();
        assertEquals(expected.tag, tag, expected::toString);
        assertEquals(expected.count, count, expected::toString);
        PointToPointCases.requireFilled(buffer.slice(0, count), expected.value());
        buffer.close();
    }
}
