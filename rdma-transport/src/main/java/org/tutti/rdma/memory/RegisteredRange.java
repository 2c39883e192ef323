/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

/** Memory with keys for each protection domain of a pool, of which {@link RegisteredBuffer}s are parts. */
interface RegisteredRange
{
    /** Returns the address of the first byte. */
    long address();

    /** Returns the local key for one of the pool's domains. */
    int lkey(int domain);

    /** Returns the remote key for one of the pool's domains. */
    int rkey(int domain);
}
