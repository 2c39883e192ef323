/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;

/** By the disni provider, too, a survivor learns in time that its peer was killed. */
@Tag("soft-roce")
@Tag("torture")
class DisniPeerDeathTest extends PeerDeathContract implements DisniContractTest.OnDisni
{
}
