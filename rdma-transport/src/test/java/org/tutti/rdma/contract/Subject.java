/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;

import java.util.Set;

/** The subject of a contract test: contexts of a provider, and nodes created from them. */
interface Subject
{
    /** The fixture of the provider. */
    ProviderFixture fixture();

    /** The quirks of the provider's driver; empty unless overridden. */
    default Set<Quirk> quirks()
    {
        return Set.of();
    }

    /** The features that the provider lacks; empty unless overridden. */
    default Set<Feature> lacks()
    {
        return Set.of();
    }

    /** A context of the provider, owned by the caller. */
    default Context open()
    {
        return fixture().open();
    }

    /** A node that is not open yet. */
    default Node newA()
    {
        return new LocalNode(this::open);
    }

    /** A node that is not open yet; in this process unless overridden. */
    default Node newB()
    {
        return new LocalNode(this::open);
    }
}
