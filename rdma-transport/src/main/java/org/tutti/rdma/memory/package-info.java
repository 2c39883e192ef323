/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Registered memory. Registration is slow (it pins pages and calls the device), so it does not happen on the data path:
 * {@link org.tutti.rdma.memory.RegisteredMemoryPool} allocates buffers from a few large regions, and
 * {@link org.tutti.rdma.memory.RegistrationCache} caches registrations of user memory.
 */
package org.tutti.rdma.memory;
