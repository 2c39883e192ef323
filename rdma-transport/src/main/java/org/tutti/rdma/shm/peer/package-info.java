/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Contexts and their peers. {@link org.tutti.rdma.shm.peer.Fabric} is the shared directory,
 * {@link org.tutti.rdma.shm.peer.Peers} the connected contexts, {@link org.tutti.rdma.shm.peer.PeerMemory} accesses
 * their memory, and {@link org.tutti.rdma.shm.peer.Guard} keeps two contexts from executing on one queue pair at once.
 */
package org.tutti.rdma.shm.peer;
