/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The verbs provider keeps the contract between two processes, on Soft-RoCE. What needs no addresses of the other
 * process is tested within one process, and here at length only.
 */
@Tag("soft-roce")
class VerbsTwoProcessTest
{
    private static final PeerProcess PEER = new VerbsFixture().startPeer();

    /** The provider, one node in each process. */
    interface Between extends VerbsContractTest.OnVerbs
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
    @Tag("torture")
    class SendsAndReceives extends SendReceiveContract implements Between
    {
    }

    @Nested
    class Rdma extends RdmaContract implements Between
    {
        /** Within a process it takes long enough to register so much memory. */
        @Override
        @Test
        @Tag("torture")
        void shouldWriteNearTheEndOfARegionBeyondTwoGibibytes()
        {
            super.shouldWriteNearTheEndOfARegionBeyondTwoGibibytes();
        }
    }

    @Nested
    @Tag("torture")
    class Errors extends ErrorContract implements Between
    {
    }
}
