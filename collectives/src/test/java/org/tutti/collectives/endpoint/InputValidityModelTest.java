/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.endpoint.InterleavingModel.Operation;
import org.tutti.collectives.endpoint.InterleavingModel.Operation.Await;
import org.tutti.collectives.endpoint.InterleavingModel.Operation.Fence;
import org.tutti.collectives.endpoint.InterleavingModel.Operation.Load;
import org.tutti.collectives.endpoint.InterleavingModel.Operation.Store;
import org.tutti.collectives.endpoint.InterleavingModel.Operation.StoreIf;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * A model of how a rank reads a peer's INPUT in place (docs/adr/0027): the peer may give up its call, its caller may
 * write to INPUT, and the peer may free its memory, page by page in any order, between any two loads of the reader.
 * Each omission of a part of the protocol is shown to be wrong, so each part is needed.
 */
class InputValidityModelTest
{
    private static final int INPUT_VALID = ReceiveFifo.INPUT_VALID;
    private static final int INPUT = 7;
    private static final int OTHER = 8;

    /** The words: two of INPUT, one of the FIFO, and those of the owner's threads. */
    private static final int FIRST = 0;
    private static final int SECOND = 1;
    private static final int VALIDITY = 2;
    private static final int GIVEN_UP = 3;
    private static final int LISTED = 4;
    private static final int FAILED = 5;
    private static final int SEEN_GIVEN_UP = 6;
    private static final int SEEN_LISTED = 7;
    /** The values that the reader has loaded from the first three words, or -1. */
    private static final int READ_FIRST = 8;
    private static final int READ_SECOND = 9;
    private static final int READ_VALIDITY = 10;

    @Test
    void shouldNeverAcceptInvalidInputWhenPeerGivesUpAndCloses()
    {
        final List<Operation> owner = new ArrayList<>();
        owner.addAll(giveUp(0));
        owner.addAll(callerWrites());
        owner.addAll(giveUp(0));
        owner.addAll(freeMemory());

        assertEquals(List.of(), wrongResult(INPUT_VALID, owner, reader(true), InputValidityModelTest::isValid));
    }

    @Test
    void shouldNeverAcceptInvalidInputWhenPeerOnlyCloses()
    {
        final List<Operation> owner = new ArrayList<>(giveUp(0));
        owner.addAll(freeMemory());

        assertEquals(List.of(), wrongResult(INPUT_VALID, owner, reader(true), InputValidityModelTest::isValid));
    }

    @Test
    void shouldNeverAcceptInvalidInputWhenOneThreadGivesUpWhileAnotherConnects()
    {
        assertEquals(List.of(), wrongResultOfConnecting(true));
    }

    @Test
    void shouldFindWrongResultWhenOneMeansInvalidInput()
    {
        final List<Operation> owner = new ArrayList<>(giveUp(1));
        owner.addAll(callerWrites());
        owner.addAll(freeMemory());

        assertFalse(wrongResult(0, owner, reader(true), word -> word == 0).isEmpty());
    }

    @Test
    void shouldFindWrongResultWhenOwnerHasNoFence()
    {
        final List<Operation> owner = new ArrayList<>(List.of(new Store(VALIDITY, 0, false)));
        owner.addAll(callerWrites());

        assertFalse(wrongResult(INPUT_VALID, owner, reader(true), InputValidityModelTest::isValid).isEmpty());
    }

    @Test
    void shouldFindWrongResultWhenReaderHasNoFence()
    {
        final List<Operation> owner = new ArrayList<>(giveUp(0));
        owner.addAll(callerWrites());

        assertFalse(wrongResult(INPUT_VALID, owner, reader(false), InputValidityModelTest::isValid).isEmpty());
    }

    @Test
    void shouldFindWrongResultWhenOwnerFreesMemoryWithoutGivingUp()
    {
        assertFalse(wrongResult(INPUT_VALID, freeMemory(), reader(true), InputValidityModelTest::isValid)
            .isEmpty());
    }

    @Test
    void shouldFindWrongResultWhenConnectingThreadIgnoresGivingUp()
    {
        assertFalse(wrongResultOfConnecting(false).isEmpty());
    }

    private static boolean isValid(final int word)
    {
        return word == INPUT_VALID;
    }

    private static List<Operation> giveUp(final int value)
    {
        return List.of(new Store(VALIDITY, value, false), new Fence());
    }

    private static List<Operation> callerWrites()
    {
        return List.of(new Store(FIRST, OTHER, true), new Store(SECOND, OTHER, true));
    }

    /** The kernel frees pages one by one; each reads as zeros afterwards. */
    private static List<Operation> freeMemory()
    {
        return List.of(
            new Fence(), new Store(FIRST, 0, true), new Store(SECOND, 0, true), new Store(VALIDITY, 0, true));
    }

    private static List<Operation> reader(final boolean hasFence)
    {
        final List<Operation> operations =
            new ArrayList<>(List.of(new Load(FIRST, READ_FIRST), new Load(SECOND, READ_SECOND)));
        if (hasFence)
        {
            operations.add(new Fence());
        }
        operations.add(new Load(VALIDITY, READ_VALIDITY));
        return operations;
    }

    private static List<String> wrongResult(
        final int validity, final List<Operation> owner, final List<Operation> reader, final IntPredicate isValid)
    {
        return model(validity).thread(owner).thread(reader).findTrace(words -> isWrong(words, isValid));
    }

    /** A thread that connects a FIFO and gets the error, while another thread gives up all FIFOs that it finds. */
    private static List<String> wrongResultOfConnecting(final boolean looks)
    {
        final List<Operation> connecting = new ArrayList<>(List.of(
            new Store(VALIDITY, INPUT_VALID, false), new Fence(), new Store(LISTED, 1, false), new Fence()));
        if (looks)
        {
            connecting.add(new Load(GIVEN_UP, SEEN_GIVEN_UP));
            connecting.add(new StoreIf(SEEN_GIVEN_UP, VALIDITY, 0));
        }
        connecting.add(new Await(FAILED, 1));
        connecting.addAll(callerWrites());
        final List<Operation> givingUp = List.of(
            new Store(GIVEN_UP, 1, false), new Fence(), new Load(LISTED, SEEN_LISTED),
            new StoreIf(SEEN_LISTED, VALIDITY, 0), new Fence(), new Store(FAILED, 1, false));
        return model(0).thread(connecting).thread(givingUp).thread(reader(true))
            .findTrace(words -> isWrong(words, InputValidityModelTest::isValid));
    }

    private static InterleavingModel model(final int validity)
    {
        return new InterleavingModel(INPUT, INPUT, validity, 0, 0, 0, 0, 0, -1, -1, -1);
    }

    /** Returns whether the reader has accepted other data as INPUT. */
    private static boolean isWrong(final List<Integer> words, final IntPredicate isValid)
    {
        final boolean isRead = words.get(READ_FIRST) != -1 && words.get(READ_SECOND) != -1;
        return isRead && words.get(READ_VALIDITY) != -1 && isValid.test(words.get(READ_VALIDITY)) &&
            (words.get(READ_FIRST) != INPUT || words.get(READ_SECOND) != INPUT);
    }
}
