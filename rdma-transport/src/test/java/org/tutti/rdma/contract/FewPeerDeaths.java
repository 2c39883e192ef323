/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests fewer deaths of the peer by default, as each test starts processes: the death at any moment of sends, writes,
 * reads and atomic operations covers those that run only in long tests.
 */
abstract class FewPeerDeaths extends PeerDeathContract
{
    @Override
    @Test
    @Tag("torture")
    void shouldFailRequestWhenPeerDiesBeforeItPostsAReceive()
    {
        super.shouldFailRequestWhenPeerDiesBeforeItPostsAReceive();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldSurviveWhenPeerDiesDuringAStreamOfWrites()
    {
        super.shouldSurviveWhenPeerDiesDuringAStreamOfWrites();
    }

    @Override
    @Test
    @Tag("torture")
    void shouldSurviveWhenPeerDiesDuringAStreamOfSends()
    {
        super.shouldSurviveWhenPeerDiesDuringAStreamOfSends();
    }
}
