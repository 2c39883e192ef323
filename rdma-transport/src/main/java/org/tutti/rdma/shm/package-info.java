/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Software verbs over mapped shared memory. {@link org.tutti.rdma.shm.Fabric} is the directory in which contexts meet,
 * {@link org.tutti.rdma.shm.ControlLayout} what each shares. A send goes through
 * {@link org.tutti.rdma.shm.ShmQueuePair}, its {@link org.tutti.rdma.shm.SendQueue} and
 * {@link org.tutti.rdma.shm.Requester}, which acts on the peer's side as {@link org.tutti.rdma.shm.Responder}, takes
 * {@link org.tutti.rdma.shm.Receives} there and adds the completions to {@link org.tutti.rdma.shm.CompletionRing}s.
 * {@link org.tutti.rdma.shm.Transport} is what differs between the types of queue pairs.
 */
package org.tutti.rdma.shm;
