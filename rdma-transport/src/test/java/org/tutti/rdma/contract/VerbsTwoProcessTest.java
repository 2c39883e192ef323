/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Runs the contract on the verbs provider between two processes, on Soft-RoCE. These are long tests: in every build,
 * {@link VerbsContractTest} runs the contract within a process, and {@link VerbsPeerDeathTest} connects two processes.
 */
@Tag("soft-roce")
@Tag("torture")
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
