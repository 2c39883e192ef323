/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** The shm provider keeps the contract between two processes, also when one of them is killed. */
class ShmTwoProcessTest
{
    private static final ShmFixture FIXTURE = new ShmFixture();
    private static final PeerProcess PEER = FIXTURE.startPeer();

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        PEER.close();
        FIXTURE.close();
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
            return PEER.node();
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
            return PEER.node();
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
            return PEER.node();
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
            return PEER.node();
        }
    }

    @Nested
    class PeerDeath extends PeerDeathContract
    {
        @Override
        ProviderFixture fixture()
        {
            return FIXTURE;
        }
    }
}
