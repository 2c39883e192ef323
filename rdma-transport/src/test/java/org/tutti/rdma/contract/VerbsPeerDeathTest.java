/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the verbs provider survives its peers, on Soft-RoCE. Each test starts one or two processes, which takes
 * many seconds on an emulated processor: cases covered by a death at any moment run only in long tests.
 */
@Tag("soft-roce")
class VerbsPeerDeathTest extends FewPeerDeaths implements VerbsContractTest.OnVerbs
{
    @Override
    @Test
    void shouldSurviveWhenPeerDiesAtAnyMoment()
    {
        super.shouldSurviveWhenPeerDiesAtAnyMoment();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldFailRequestsWhenPeerIsDead()
    {
        super.shouldFailRequestsWhenPeerIsDead();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldFailReadWhenPeerIsDead()
    {
        super.shouldFailReadWhenPeerIsDead();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldWakeWaitingThreadWhenOtherPeersSend() throws Exception
    {
        super.shouldWakeWaitingThreadWhenOtherPeersSend();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldConnectToNewProcessWhenPeerDied()
    {
        super.shouldConnectToNewProcessWhenPeerDied();
    }
}
