/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The base of all contract tests. The subclasses of a provider implement {@link Subject}. */
abstract class Contract implements Subject
{
    final boolean has(final Quirk quirk)
    {
        return quirks().contains(quirk);
    }

    final boolean can(final Feature ability)
    {
        return !lacks().contains(ability);
    }

    /** Skips the test if the provider lacks a feature. */
    final void needs(final Feature ability)
    {
        if (!can(ability))
        {
            final String line = "skipped: " + fixture().name() + " cannot " + ability;
            System.err.println(line);
            assumeTrue(false, line);
        }
    }
}
