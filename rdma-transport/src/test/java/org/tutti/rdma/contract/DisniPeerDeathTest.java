/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** By the disni provider, too, a survivor learns in time that its peer was killed. */
@Tag("soft-roce")
class DisniPeerDeathTest extends PeerDeathContract
{
    private static final DisniFixture FIXTURE = new DisniFixture();

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        FIXTURE.close();
    }

    @Override
    ProviderFixture fixture()
    {
        return FIXTURE;
    }

    @Override
    @Test
    void shouldLetASleeperBeWokenByOthers()
    {
        DisniContractTest.skip("let a sleeper sleep on when a peer dies: rdma_cm tells of the death");
    }
}
