/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.tutti.rdma.Context;

/** The shm provider keeps the contract, between two contexts of one process. */
class ShmContractTest
{
    private static final ShmFixture FIXTURE = new ShmFixture();

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    @Nested
    class Objects extends ObjectContract
    {
        @Override
        Context open()
        {
            return FIXTURE.open();
        }
    }

    @Nested
    class StateMachine extends ShmPathContract
    {
        @Override
        Context open()
        {
            return FIXTURE.open();
        }
    }

    @Nested
    class UnreliableStates extends UnreliableStateContract
    {
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
    class UserMemory extends LoadStoreContract
    {
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
    class SharedReceives extends SharedReceiveContract
    {
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
    class Multicast extends MulticastContract
    {
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
        Context open()
        {
            return FIXTURE.open();
        }
    }
}
