/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;

/** What a provider brings to be tested: its contexts, in this process and in others. */
public interface ProviderFixture extends AutoCloseable
{
    /**
     * What people call the provider.
     *
     * @return its name.
     */
    String name();

    /**
     * Opens the provider's device.
     *
     * @return owned by the caller.
     */
    Context open();

    /**
     * Starts a process whose contexts reach those of this one.
     *
     * @return owned by the caller.
     */
    PeerProcess startPeer();

    /** Checks that nothing is left behind, and cleans up what tests may leave. */
    @Override
    void close();
}
