/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.Set;

/**
 * Runs the contract on the disni provider, between two contexts of one process, on Soft-RoCE. Every build
 * creates objects, sends and writes; slow tests, and those of what the driver does rather than the provider, are long
 * tests: {@link VerbsContractTest} runs them in every build.
 */
@Tag("soft-roce")
class DisniContractTest
{
    private static final DisniFixture FIXTURE = new DisniFixture();
    /** The quirks of the driver, except those that the provider hides. */
    private static final Set<Quirk> QUIRKS = EnumSet.copyOf(Quirk.SOFT_ROCE);

    private static final Set<Feature> LACKS = EnumSet.complementOf(EnumSet.of(Feature.ZERO_BASED_REGIONS));

    static
    {
        QUIRKS.remove(Quirk.SLOTS_ARE_FREE_EARLY);
        QUIRKS.remove(Quirk.COMPLETIONS_OUTLIVE_RESET);
    }

    /** The provider, on Soft-RoCE. */
    interface OnDisni extends Subject
    {
        @Override
        default ProviderFixture fixture()
        {
            return FIXTURE;
        }

        @Override
        default Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        default Set<Feature> lacks()
        {
            return LACKS;
        }
    }

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    @Nested
    class Objects extends ObjectContract implements OnDisni
    {
        @Override
        @Test
        @Tag("torture")
        void shouldRejectQueuePairWhenLimitsAreExceeded()
        {
            super.shouldRejectQueuePairWhenLimitsAreExceeded();
        }

        @Override
        @Test
        @Tag("torture")
        void shouldCreateQueuePairWhenLimitsAreReached()
        {
            super.shouldCreateQueuePairWhenLimitsAreReached();
        }

        @Override
        @Test
        @Tag("torture")
        void shouldOpenAndCloseRepeatedly()
        {
            super.shouldOpenAndCloseRepeatedly();
        }
    }

    @Nested
    @Tag("torture")
    class StateMachine extends StateMachineContract implements OnDisni
    {
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract implements OnDisni
    {
    }

    @Nested
    class Rdma extends RdmaContract implements OnDisni
    {
        @Override
        @Test
        @Tag("torture")
        void shouldWriteWhenRegionExceedsTwoGibibytes()
        {
            super.shouldWriteWhenRegionExceedsTwoGibibytes();
        }

        @Override
        @Test
        @Tag("torture")
        void shouldDeliverLongWritesWhenPosterDoesNotPoll()
        {
            super.shouldDeliverLongWritesWhenPosterDoesNotPoll();
        }

        @Override
        @Test
        @Tag("torture")
        void shouldLoseNoAddWhenSeveralQueuePairsAdd()
        {
            super.shouldLoseNoAddWhenSeveralQueuePairsAdd();
        }

        @Override
        @Test
        @Tag("torture")
        void shouldSeeEarlierWritesWhenLaterImmediateIsPolled()
        {
            super.shouldSeeEarlierWritesWhenLaterImmediateIsPolled();
        }
    }

    @Nested
    @Tag("torture")
    class UserMemory extends UserMemoryContract implements OnDisni
    {
    }

    @Nested
    @Tag("torture")
    class Errors extends ErrorContract implements OnDisni
    {
    }

    @Nested
    @Tag("torture")
    class Events extends EventContract implements OnDisni
    {
    }

    @Nested
    @Tag("torture")
    class Queries extends QueryContract implements OnDisni
    {
    }

    @Nested
    @Tag("torture")
    class DataPath extends DataPathContract implements OnDisni
    {
    }
}
