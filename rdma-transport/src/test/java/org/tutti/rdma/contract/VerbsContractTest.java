/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Set;

/** Runs the contract on the verbs provider, between two contexts of one process, on Soft-RoCE. */
@Tag("soft-roce")
class VerbsContractTest
{
    private static final VerbsFixture FIXTURE = new VerbsFixture();

    /** The provider, on Soft-RoCE. */
    interface OnVerbs extends Subject
    {
        @Override
        default ProviderFixture fixture()
        {
            return FIXTURE;
        }

        @Override
        default Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
        }
    }

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    @Nested
    class Objects extends ObjectContract implements OnVerbs
    {
        /** The driver clears memory for a million requests; ShmContractTest reaches its limits in every build. */
        @Override
        @Test
        @Tag("torture")
        void shouldCreateQueuePairWhenLimitsAreReached()
        {
            super.shouldCreateQueuePairWhenLimitsAreReached();
        }
    }

    @Nested
    class StateMachine extends StateMachineContract implements OnVerbs
    {
    }

    @Nested
    class UnreliableStates extends UnreliableStateContract implements OnVerbs
    {
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract implements OnVerbs
    {
    }

    @Nested
    class Rdma extends RdmaContract implements OnVerbs
    {
        /** Registering so much memory takes long here; ShmContractTest does it in every build. */
        @Override
        @Test
        @Tag("torture")
        void shouldWriteWhenRegionExceedsTwoGibibytes()
        {
            super.shouldWriteWhenRegionExceedsTwoGibibytes();
        }
    }

    @Nested
    class UserMemory extends UserMemoryContract implements OnVerbs
    {
    }

    @Nested
    class Errors extends ErrorContract implements OnVerbs
    {
    }

    @Nested
    class Unreliable extends UnreliableContract implements OnVerbs
    {
    }

    @Nested
    class Datagrams extends DatagramContract implements OnVerbs
    {
    }

    @Nested
    class Multicast extends MulticastContract implements OnVerbs
    {
    }

    @Nested
    class Events extends EventContract implements OnVerbs
    {
    }

    @Nested
    class Queries extends QueryContract implements OnVerbs
    {
    }

    @Nested
    class SharedReceives extends SharedReceiveContract implements OnVerbs
    {
    }

    @Nested
    class DataPath extends DataPathContract implements OnVerbs
    {
    }
}
