/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The disni provider keeps the contract between two processes, on Soft-RoCE. */
@Tag("soft-roce")
class DisniTwoProcessTest
{
    private static final PeerProcess PEER = new DisniFixture().startPeer();

    /** The provider, one node in each process. */
    interface Between extends DisniContractTest.OnDisni
    {
        @Override
        default Node newB()
        {
            return PEER.node();
        }
    }

    @AfterAll
    static void endPeer()
    {
        PEER.close();
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract implements Between
    {
    }

    @Nested
    class Rdma extends RdmaContract implements Between
    {
    }

    @Nested
    class Errors extends ErrorContract implements Between
    {
    }
}
