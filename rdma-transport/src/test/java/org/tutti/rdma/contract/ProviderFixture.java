/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;

/** The test fixture of a provider: its contexts, in this process and in others. */
public interface ProviderFixture extends AutoCloseable
{
    /**
     * The name of the provider.
     *
     * @return name, for messages.
     */
    String name();

    /**
     * Opens the provider's device.
     *
     * @return a new object, owned by the caller.
     */
    Context open();

    /**
     * Starts a process with contexts that can connect to those of this one.
     *
     * @return a new object, owned by the caller.
     */
    PeerProcess startPeer();

    /** Checks for leaked resources and cleans up after tests. */
    @Override
    void close();
}
