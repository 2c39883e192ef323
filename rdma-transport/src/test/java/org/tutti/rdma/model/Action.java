/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.model;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;

import java.util.List;

/** An action of a random program, in names and small numbers so that a failing program is readable. */
sealed interface Action
{
    /**
     * A range of a region, possibly out of bounds: regions are numbered in {@link ProgramRunner}'s order of creation.
     */
    record Place(int region, int offset, int length)
    {
    }

    /** A send request in symbols. */
    record Request(int opcode, int flags, List<Place> places, Place remote, int operand, int swap)
    {
    }

    /** Posts a chain of sends. */
    record PostSend(int side, List<Request> requests) implements Action
    {
    }

    /** Posts a chain of receives, each a scatter list. */
    record PostReceive(int side, List<List<Place>> receives) implements Action
    {
    }

    /** Polls the sends' completion queue. */
    record PollSends(int side, int max) implements Action
    {
    }

    /** Polls the receives' completion queue. */
    record PollReceives(int side, int max) implements Action
    {
    }

    /** Deregisters a region. */
    record Deregister(int side, int region) implements Action
    {
    }

    /** Enters the error state. */
    record Fail(int side) implements Action
    {
    }

    /** Enters RESET without notifying the other side. */
    record Reset(int side) implements Action
    {
    }

    /** Goes from RTS to SQD and back; requests posted in between wait. */
    record Pause(int side, List<Request> requests) implements Action
    {
    }

    /** Moves both sides through RESET to RTS. */
    record Reconnect() implements Action
    {
    }

    /**
     * A chain of a read and a fenced write of inline data from the range that the read changes, then one of an atomic
     * and such a write.
     */
    static List<Action> inlineWritesBehindFences()
    {
        final int flags = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.INLINE;
        final Place result = new Place(0, 0, Long.BYTES);
        final Place target = new Place(0, 16, Long.BYTES);
        return List.of(
            new PostSend(0, List.of(
                new Request(SendOpcode.RDMA_READ, SendFlags.SIGNALED, List.of(result), new Place(1, 24, 0), 0, 0),
                new Request(SendOpcode.RDMA_WRITE, flags, List.of(result), new Place(1, 64, 0), 0, 0))),
            new PollSends(0, 2),
            new PostSend(1, List.of(
                new Request(SendOpcode.ATOMIC_FETCH_AND_ADD, SendFlags.SIGNALED, List.of(target), result, 1, 0),
                new Request(SendOpcode.RDMA_WRITE, flags, List.of(target), new Place(1, 96, 0), 0, 0))),
            new PollSends(1, 2));
    }

    /** Programs of up to {@code maxLength} actions. */
    static Arbitrary<List<Action>> programs(final int maxLength)
    {
        final Arbitrary<Integer> side = Arbitraries.integers().between(0, 1);
        final Arbitrary<List<Request>> requests = requests().list().ofMinSize(1).ofMaxSize(3);
        final Arbitrary<Integer> max = Arbitraries.integers().between(1, 5);
        return Arbitraries.frequencyOf(
            Tuple.of(8, Combinators.combine(side, requests).as(PostSend::new)),
            Tuple.of(10, Combinators.combine(side, receives().list().ofMinSize(1).ofMaxSize(3)).as(PostReceive::new)),
            Tuple.of(4, Combinators.combine(side, max).as(PollSends::new)),
            Tuple.of(4, Combinators.combine(side, max).as(PollReceives::new)),
            Tuple.of(1, Combinators.combine(side, Arbitraries.integers().between(0, 5)).as(Deregister::new)),
            Tuple.of(1, side.map(Fail::new)),
            Tuple.of(1, side.map(Reset::new)),
            Tuple.of(1, Combinators.combine(side, requests).as(Pause::new)),
            Tuple.of(5, Arbitraries.just(new Reconnect()))).list().ofMaxSize(maxLength).map(List::copyOf);
    }

    private static Arbitrary<Request> requests()
    {
        // One in twenty or so is not an opcode.
        final Arbitrary<Integer> opcode = Arbitraries.frequencyOf(
            Tuple.of(30, Arbitraries.integers().between(0, SendOpcode.ATOMIC_FETCH_AND_ADD)),
            Tuple.of(1, Arbitraries.of(-1, 17)));
        final Arbitrary<Integer> flags = Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just(SendFlags.SIGNALED)),
            Tuple.of(3, Arbitraries.just(0)),
            Tuple.of(3, Arbitraries.integers().between(0, 15)));
        final Arbitrary<Integer> operand = Arbitraries.integers().between(0, 2);
        return opcode.flatMap((code) ->
        {
            final boolean isAtomic = code >= SendOpcode.ATOMIC_CMP_AND_SWP;
            final Arbitrary<List<Place>> lists = lists(places());
            final Arbitrary<List<Place>> local = !isAtomic ? lists : Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.integers().between(0, 3).map((i) -> List.of(new Place(0, 8 * i, 8)))),
                Tuple.of(1, lists));
            final Arbitrary<Place> remote = !isAtomic ? places() : Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.integers().between(0, 3).map((i) -> new Place(0, 8 * i, 8))),
                Tuple.of(1, places()));
            return Combinators.combine(Arbitraries.just(code), flags, local, remote, operand, operand)
                .as(Request::new);
        });
    }

    private static Arbitrary<List<Place>> receives()
    {
        return lists(places(64));
    }

    private static Arbitrary<Place> places()
    {
        return places(32);
    }

    /** Lists that are rarely longer than a queue pair allows. */
    private static Arbitrary<List<Place>> lists(final Arbitrary<Place> places)
    {
        return Arbitraries.frequencyOf(
            Tuple.of(20, places.list().ofMaxSize(3)),
            Tuple.of(1, places.list().ofSize(4)));
    }

    /** Ranges that are mostly inside a region with many rights. */
    private static Arbitrary<Place> places(final int maxLength)
    {
        final Arbitrary<Integer> region = Arbitraries.frequencyOf(
            Tuple.of(30, Arbitraries.integers().between(0, 1)),
            Tuple.of(2, Arbitraries.integers().between(2, ProgramRunner.UNKNOWN_REGION)));
        final Arbitrary<Integer> offset = Arbitraries.frequencyOf(
            Tuple.of(40, Arbitraries.integers().between(0, 128 - maxLength)),
            Tuple.of(1, Arbitraries.integers().between(-8, 130)));
        final Arbitrary<Integer> length = Arbitraries.integers().between(0, maxLength);
        return Combinators.combine(region, offset, length).as(Place::new);
    }
}
