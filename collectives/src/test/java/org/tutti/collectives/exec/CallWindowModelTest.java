/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Explores all interleavings of all short sequences of calls of a few ranks, with {@link CallWindow} as the executor
 * uses it: no message may be written to a slot or half that its receiver still uses, and the ranks must not wait for
 * each other in a cycle.
 */
class CallWindowModelTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    private static List<List<CallWindowModel.Kind>> sequences(final int length)
    {
        final List<List<CallWindowModel.Kind>> sequences = new ArrayList<>();
        extend(new ArrayList<>(), length, sequences);
        return sequences;
    }

    private static void extend(
        final List<CallWindowModel.Kind> calls, final int length, final List<List<CallWindowModel.Kind>> all)
    {
        if (length == 0)
        {
            all.add(List.copyOf(calls));
            return;
        }
        for (final CallWindowModel.Kind kind : CallWindowModel.Kind.values())
        {
            calls.add(kind);
            extend(calls, length - 1, all);
            calls.removeLast();
        }
    }

    private static List<CallWindowModel.Kind> twice(final List<CallWindowModel.Kind> calls)
    {
        final List<CallWindowModel.Kind> both = new ArrayList<>(calls);
        both.addAll(calls);
        return both;
    }

    @Test
    @Tag("torture")
    void shouldNeverWriteToMemoryInUseWhenOneCallIsInProgress()
    {
        for (final List<CallWindowModel.Kind> calls : sequences(4))
        {
            assertNull(new CallWindowModel(2, calls, 1, 2, 2).firstError());
        }
        for (final List<CallWindowModel.Kind> calls : sequences(IS_TORTURE ? 3 : 2))
        {
            assertNull(new CallWindowModel(3, calls, 1, 2, 2).firstError());
        }
    }

    @Test
    void shouldNeverWriteToMemoryInUseWhenTwoCallsAreInProgress()
    {
        for (final List<CallWindowModel.Kind> calls : sequences(IS_TORTURE ? 3 : 2))
        {
            // More calls than slots.
            assertNull(new CallWindowModel(2, twice(calls), 2, 4, 4).firstError());
        }
        for (final List<CallWindowModel.Kind> calls : sequences(IS_TORTURE ? 3 : 2))
        {
            assertNull(new CallWindowModel(3, calls, 2, 4, 4).firstError());
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "fewer slots than the window assumes, 2, 4, 2, false",
        "a single slot, 1, 2, 1, false",
        "calls that do not synchronize taken for others, 2, 4, 4, true",
        "the same with one call in progress, 1, 2, 2, true",
    })
    void shouldDetectWrongRule(
        final String name, final int calls, final int slots, final int slotsOfMemory, final boolean ignoresKind)
    {
        String error = null;
        for (final List<CallWindowModel.Kind> sequence : sequences(3))
        {
            error = error != null ? error :
                new CallWindowModel(2, twice(sequence), calls, slots, slotsOfMemory, ignoresKind).firstError();
        }
        assertNotNull(error, name);
    }
}
