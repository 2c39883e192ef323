/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Contexts and their peers. {@link org.tutti.rdma.shm.peer.Fabric} is the directory that they share,
 * {@link org.tutti.rdma.shm.peer.Peers} those that a context is connected to,
 * {@link org.tutti.rdma.shm.peer.PeerMemory} reaches their memory, and {@link org.tutti.rdma.shm.peer.Guard} keeps two
 * of them from executing on one queue pair.
 */
package org.tutti.rdma.shm.peer;
