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
 * Runs the contract on the verbs provider between two processes, on Soft-RoCE. Tests that need no addresses of the
 * other process run within one process, and here only as long tests.
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
        @Override
        @Test
        @Tag("torture")
        void shouldWriteWhenRegionExceedsTwoGibibytes()
        {
            super.shouldWriteWhenRegionExceedsTwoGibibytes();
        }

        /** The peer is asked more than a thousand times. */
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
    class Errors extends ErrorContract implements Between
    {
    }
}
