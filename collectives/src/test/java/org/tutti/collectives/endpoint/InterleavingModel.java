/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * An explicit-state model of threads that store and load shared words. It visits every state that any interleaving
 * reaches, with every reordering that a processor may perform: operations of a thread on different words are unordered
 * unless a fence separates them. A thread may stop forever at any point.
 */
final class InterleavingModel
{
    private final List<List<Operation>> threads = new ArrayList<>();
    private final int[] initial;

    /** The operations of one thread, in program order. */
    sealed interface Operation
    {
        /** Orders all operations before it before those after it. */
        record Fence() implements Operation
        {
        }

        /** Stores a value; an optional store may be skipped. */
        record Store(int word, int value, boolean optional) implements Operation
        {
        }

        /** Stores a value if another word, private to the thread, is not 0. */
        record StoreIf(int condition, int word, int value) implements Operation
        {
        }

        /** Copies a word to another one, private to the thread. */
        record Load(int word, int to) implements Operation
        {
        }

        /** Blocks until a word has a value. */
        record Await(int word, int value) implements Operation
        {
        }
    }

    /** The operations done by each thread, and the values of all words. */
    private record State(List<Integer> done, List<Integer> words)
    {
    }

    private record Step(State from, String text)
    {
    }

    /**
     * Creates a model without threads.
     *
     * @param initial value of each word.
     */
    InterleavingModel(final int... initial)
    {
        this.initial = initial.clone();
    }

    /** Adds a thread of at most 30 operations. */
    InterleavingModel thread(final List<Operation> operations)
    {
        threads.add(operations);
        return this;
    }

    /**
     * Searches for an invalid state.
     *
     * @param isWrong predicate for the words of an invalid state.
     * @return shortest path to it; empty if no reachable state is invalid.
     */
    List<String> findTrace(final Predicate<List<Integer>> isWrong)
    {
        final State first =
            new State(Collections.nCopies(threads.size(), 0), Arrays.stream(initial).boxed().toList());
        final Map<State, Step> cameBy = new HashMap<>();
        final Queue<State> next = new ArrayDeque<>(List.of(first));
        cameBy.put(first, new Step(null, "start"));
        while (!next.isEmpty())
        {
            final State state = next.remove();
            if (isWrong.test(state.words))
            {
                return trace(state, cameBy);
            }
            for (int thread = 0; thread < threads.size(); thread++)
            {
                for (int index = 0; index < threads.get(thread).size(); index++)
                {
                    if (mayDo(state, thread, index))
                    {
                        final String text = "thread " + thread + ": " + threads.get(thread).get(index);
                        for (final State reached : perform(state, thread, index))
                        {
                            if (cameBy.putIfAbsent(reached, new Step(state, text)) == null)
                            {
                                next.add(reached);
                            }
                        }
                    }
                }
            }
        }
        return List.of();
    }

    private boolean mayDo(final State state, final int thread, final int index)
    {
        final List<Operation> operations = threads.get(thread);
        final int done = state.done.get(thread);
        if ((done >> index & 1) != 0)
        {
            return false;
        }
        for (int before = 0; before < index; before++)
        {
            if ((done >> before & 1) == 0 && isOrdered(operations.get(before), operations.get(index)))
            {
                return false;
            }
        }
        return !(operations.get(index) instanceof Operation.Await(int word, int value)) ||
            state.words.get(word) == value;
    }

    /**
     * Returns whether program order is kept: fences and waits order everything, other operations only those on the same
     * word.
     */
    private static boolean isOrdered(final Operation first, final Operation second)
    {
        return isBarrier(first) || isBarrier(second) || !Collections.disjoint(words(first), words(second));
    }

    private static boolean isBarrier(final Operation operation)
    {
        return operation instanceof Operation.Fence || operation instanceof Operation.Await;
    }

    private static List<Integer> words(final Operation operation)
    {
        return switch (operation)
        {
            case final Operation.Fence fence -> List.of();
            case final Operation.Await await -> List.of(await.word);
            case final Operation.Store store -> List.of(store.word);
            case final Operation.StoreIf store -> List.of(store.condition, store.word);
            case final Operation.Load load -> List.of(load.word, load.to);
        };
    }

    private List<State> perform(final State state, final int thread, final int index)
    {
        final List<Integer> done = new ArrayList<>(state.done);
        done.set(thread, done.get(thread) | 1 << index);
        final List<State> reached = new ArrayList<>();
        switch (threads.get(thread).get(index))
        {
            case Operation.Store(int word, int value, boolean optional) ->
            {
                reached.add(with(done, state, word, value));
                if (optional)
                {
                    reached.add(new State(done, state.words));
                }
            }
            case Operation.StoreIf(int condition, int word, int value) ->
                reached.add(state.words.get(condition) == 0 ? new State(done, state.words) :
                    with(done, state, word, value));
            case Operation.Load(int word, int to) -> reached.add(with(done, state, to, state.words.get(word)));
            default -> reached.add(new State(done, state.words));
        }
        return reached;
    }

    private static State with(final List<Integer> done, final State state, final int word, final int value)
    {
        final List<Integer> words = new ArrayList<>(state.words);
        words.set(word, value);
        return new State(done, words);
    }

    private static List<String> trace(final State last, final Map<State, Step> cameBy)
    {
        final List<String> trace = new ArrayList<>();
        for (Step step = cameBy.get(last); step.from != null; step = cameBy.get(step.from))
        {
            trace.addFirst(step.text);
        }
        return trace;
    }
}
