/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;

/** The provider verbs outlives its peers, on Soft-RoCE. */
@Tag("soft-roce")
class VerbsPeerDeathTest extends PeerDeathContract implements VerbsContractTest.OnVerbs
{
}
