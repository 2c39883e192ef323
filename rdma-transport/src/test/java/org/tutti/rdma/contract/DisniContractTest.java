/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.Context;

import java.util.EnumSet;
import java.util.Set;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The disni provider keeps the contract, between two contexts of one process, on Soft-RoCE. */
@Tag("soft-roce")
class DisniContractTest
{
    private static final DisniFixture FIXTURE = new DisniFixture();
    /** The driver's, without those that the provider makes up for. */
    private static final Set<Quirk> QUIRKS = EnumSet.copyOf(Quirk.SOFT_ROCE);

    static
    {
        QUIRKS.remove(Quirk.SLOTS_ARE_FREE_EARLY);
        QUIRKS.remove(Quirk.COMPLETIONS_OUTLIVE_RESET);
    }

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    static void skip(final String what)
    {
        final String line = "skipped: DiSNI cannot " + what;
        System.err.println(line);
        assumeTrue(false, line);
    }

    @Nested
    class Objects extends ObjectContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Context open()
        {
            return FIXTURE.open();
        }

        @Override
        @Test
        void shouldDescribeDeviceAndPort()
        {
            skip("register more than 2^31 - 1 bytes at once");
        }

        @Override
        @Test
        void shouldRefuseToRegisterWhatIsNotMapped()
        {
            skip("register more than 2^31 - 1 bytes at once");
        }
    }

    @Nested
    class StateMachine extends StateMachineContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Context open()
        {
            return FIXTURE.open();
        }

        @Override
        @Test
        void shouldTellWhenTheSendQueueIsDrained()
        {
            skip("drain a send queue");
        }

        @Override
        boolean canDrain()
        {
            return false;
        }
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Node newA()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        Node newB()
        {
            return new LocalNode(FIXTURE::open);
        }
    }

    @Nested
    class Rdma extends RdmaContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Node newA()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        Node newB()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        @Test
        void shouldWriteNearTheEndOfARegionBeyondTwoGibibytes()
        {
            skip("register more than 2^31 - 1 bytes at once");
        }
    }

    @Nested
    class UserMemory extends UserMemoryContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Node newA()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        Node newB()
        {
            return new LocalNode(FIXTURE::open);
        }
    }

    @Nested
    class Errors extends ErrorContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Node newA()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        Node newB()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        @Test
        void shouldRefuseReadsWithoutReadResources()
        {
            skip("limit the reads of a connection");
        }

        @Override
        @Test
        void shouldReportAnOverrunOfTheCompletionQueue()
        {
            skip("tell of asynchronous events");
        }
    }

    @Nested
    class Events extends EventContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return QUIRKS;
        }

        @Override
        Node newA()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        Node newB()
        {
            return new LocalNode(FIXTURE::open);
        }

        @Override
        @Test
        void shouldTellThatItIsDrainedWhenTheRequestThatHadBegunIsDone()
        {
            skip("drain a send queue");
        }

        @Override
        @Test
        void shouldTellThatItIsDrainedOnlyWhenAskedThatTime()
        {
            skip("drain a send queue");
        }

        @Override
        @Test
        void shouldWakeASleeperOnAsynchronousEvents()
        {
            skip("tell of asynchronous events");
        }
    }
}
