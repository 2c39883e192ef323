/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The provider verbs outlives its peers, on Soft-RoCE. Each test starts a process or two, which takes an emulated
 * processor many seconds: what a death at any moment may hit as well is tested at length only.
 */
@Tag("soft-roce")
class VerbsPeerDeathTest extends PeerDeathContract implements VerbsContractTest.OnVerbs
{
    @Override
    @Test
    void shouldSurviveADeathAtAnyMoment()
    {
        super.shouldSurviveADeathAtAnyMoment();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldFailRequestsToADeadPeer()
    {
        super.shouldFailRequestsToADeadPeer();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldFailAReadOfADeadPeer()
    {
        super.shouldFailAReadOfADeadPeer();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldSurviveADeathInTheMiddleOfAStreamOfWrites()
    {
        super.shouldSurviveADeathInTheMiddleOfAStreamOfWrites();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldSurviveADeathInTheMiddleOfAStreamOfSends()
    {
        super.shouldSurviveADeathInTheMiddleOfAStreamOfSends();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldLetASleeperBeWokenByOthers() throws Exception
    {
        super.shouldLetASleeperBeWokenByOthers();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldConnectToANewProcessAfterADeath()
    {
        super.shouldConnectToANewProcessAfterADeath();
    }
}
