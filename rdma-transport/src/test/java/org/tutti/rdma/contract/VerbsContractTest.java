/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.tutti.rdma.Context;

import java.util.Set;

/** The verbs provider keeps the contract, between two contexts of one process, on Soft-RoCE. */
@Tag("soft-roce")
class VerbsContractTest
{
    private static final VerbsFixture FIXTURE = new VerbsFixture();

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    @Nested
    class Objects extends ObjectContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
        }

        @Override
        Context open()
        {
            return FIXTURE.open();
        }
    }

    @Nested
    class StateMachine extends StateMachineContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
        }

        @Override
        Context open()
        {
            return FIXTURE.open();
        }
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
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
            return Quirk.SOFT_ROCE;
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
    class UserMemory extends UserMemoryContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
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
            return Quirk.SOFT_ROCE;
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
    class Unreliable extends UnreliableContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
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
    class Datagrams extends DatagramContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
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
    class Events extends EventContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
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
    class Queries extends QueryContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
        }

        @Override
        Context open()
        {
            return FIXTURE.open();
        }
    }

    @Nested
    class SharedReceives extends SharedReceiveContract
    {
        @Override
        Set<Quirk> quirks()
        {
            return Quirk.SOFT_ROCE;
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
}
