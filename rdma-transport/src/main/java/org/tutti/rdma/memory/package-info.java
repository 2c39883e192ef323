/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Registered memory. Registering is slow (it pins pages and talks to the device), so nothing registers on the data
 * path: {@link org.tutti.rdma.memory.RegisteredMemoryPool} gives out buffers of few large regions, and
 * {@link org.tutti.rdma.memory.RegistrationCache} keeps registrations of memory that belongs to the user.
 */
package org.tutti.rdma.memory;
