/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

import java.util.Set;

/** Runs the contract on the shm provider, between two contexts of one process. */
class ShmContractTest
{
    private static final ShmFixture FIXTURE = new ShmFixture();

    /** The provider within this process. */
    interface OnShm extends Subject
    {
        @Override
        default ProviderFixture fixture()
        {
            return FIXTURE;
        }

        @Override
        default Set<Feature> lacks()
        {
            return Set.of(Feature.ZERO_BASED_REGIONS);
        }
    }

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    @Nested
    class Objects extends ObjectContract implements OnShm
    {
    }

    @Nested
    class StateMachine extends ShmPathContract implements OnShm
    {
    }

    @Nested
    class UnreliableStates extends UnreliableStateContract implements OnShm
    {
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract implements OnShm
    {
    }

    @Nested
    class Rdma extends RdmaContract implements OnShm
    {
    }

    @Nested
    class UserMemory extends LoadStoreContract implements OnShm
    {
    }

    @Nested
    class LocalCompletions extends LocalCompletionContract implements OnShm
    {
    }

    @Nested
    class Errors extends ErrorContract implements OnShm
    {
    }

    @Nested
    class SharedReceives extends SharedReceiveContract implements OnShm
    {
    }

    @Nested
    class Unreliable extends UnreliableContract implements OnShm
    {
    }

    @Nested
    class Datagrams extends DatagramContract implements OnShm
    {
    }

    @Nested
    class Multicast extends MulticastContract implements OnShm
    {
    }

    @Nested
    class Events extends EventContract implements OnShm
    {
    }

    @Nested
    class Queries extends QueryContract implements OnShm
    {
    }

    @Nested
    class DataPath extends DataPathContract implements OnShm
    {
    }
}
