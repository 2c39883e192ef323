/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Send;

import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

/** Runs the contract on the tcp provider, between two contexts of one process. */
class TcpContractTest
{
    private static final TcpFixture FIXTURE = new TcpFixture();
    private static final Set<Feature> LACKING = Set.of(Feature.ZERO_BASED_REGIONS, Feature.UNRELIABLE_SERVICES);

    /** The provider within this process. */
    interface OnTcp extends Subject
    {
        @Override
        default ProviderFixture fixture()
        {
            return FIXTURE;
        }

        @Override
        default Set<Feature> lacks()
        {
            return LACKING;
        }

        @Override
        default Set<Quirk> quirks()
        {
            return Quirk.SOFT_IWARP;
        }
    }

    @Nested
    class Objects extends ObjectContract implements OnTcp
    {
    }

    @Nested
    class StateMachine extends StateMachineContract implements OnTcp
    {
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract implements OnTcp
    {
    }

    @Nested
    class Rdma extends RdmaContract implements OnTcp
    {
    }

    @Nested
    class UserMemory extends UserMemoryContract implements OnTcp
    {
    }

    @Nested
    class LocalCompletions extends LocalCompletionContract implements OnTcp
    {
        @Test
        void shouldCompleteBeforePeerHasExecuted()
        {
            final byte[] message = bytes(5_000, 1);
            a.put(0, message);
            aPosts(Send.send(1, aRegion.sge(0, message.length)));
            aSends(WorkCompletionStatus.SUCCESS, 1);

            bReceives(Receive.of(2, bRegion.sge(0, message.length)));
            bGets(WorkCompletionStatus.SUCCESS, 2);
            assertArrayEquals(message, b.get(0, message.length));
        }
    }

    @Nested
    class Errors extends ErrorContract implements OnTcp
    {
    }

    @Nested
    class SharedReceives extends SharedReceiveContract implements OnTcp
    {
    }

    @Nested
    class Events extends EventContract implements OnTcp
    {
    }

    @Nested
    class Queries extends QueryContract implements OnTcp
    {
    }

    @Nested
    class DataPath extends DataPathContract implements OnTcp
    {
    }
}
