/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

import java.util.Set;

/** Runs the contract on the tcp provider between two processes, including the death of one. */
class TcpTwoProcessTest
{
    private static final TcpFixture FIXTURE = new TcpFixture();
    private static final PeerProcess PEER = FIXTURE.startPeer();

    /** The provider, one node in each process. */
    interface Between extends Subject
    {
        @Override
        default ProviderFixture fixture()
        {
            return FIXTURE;
        }

        @Override
        default Set<Quirk> quirks()
        {
            return Quirk.SOFT_IWARP;
        }

        @Override
        default Set<Feature> lacks()
        {
            return Set.of(Feature.UNRELIABLE_SERVICES);
        }

        @Override
        default Node newB()
        {
            return PEER.node();
        }
    }

    @AfterAll
    static void shouldStopThePeer()
    {
        PEER.close();
        FIXTURE.close();
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
    class UserMemory extends UserMemoryContract implements Between
    {
    }

    @Nested
    class LocalCompletions extends LocalCompletionContract implements Between
    {
    }

    @Nested
    class Errors extends ErrorContract implements Between
    {
    }

    @Nested
    class SharedReceives extends SharedReceiveContract implements Between
    {
    }

    @Nested
    class Events extends EventContract implements Between
    {
    }

    @Nested
    class PeerDeath extends FewPeerDeaths implements Between
    {
    }

    @Nested
    class SenderDeath extends SenderDeathContract implements Between
    {
    }
}
