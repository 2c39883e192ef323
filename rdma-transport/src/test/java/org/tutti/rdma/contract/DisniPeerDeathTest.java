/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;

/** Tests that the disni provider reports the death of a peer in time. */
@Tag("soft-roce")
@Tag("torture")
class DisniPeerDeathTest extends PeerDeathContract implements DisniContractTest.OnDisni
{
}
