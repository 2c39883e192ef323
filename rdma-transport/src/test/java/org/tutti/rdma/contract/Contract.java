/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import java.util.Set;

/** What all tests of the contract have. */
abstract class Contract
{
    /** In what the provider's driver departs; nothing unless overridden. */
    Set<Quirk> quirks()
    {
        return Set.of();
    }

    final boolean has(final Quirk quirk)
    {
        return quirks().contains(quirk);
    }
}
