/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What becomes of a request. {@link org.tutti.rdma.shm.transport.SendQueue} accepts it,
 * {@link org.tutti.rdma.shm.transport.Requester} executes it, acts on the peer's side as
 * {@link org.tutti.rdma.shm.transport.Responder}, and adds the completions.
 * {@link org.tutti.rdma.shm.transport.Transport} is what differs between the types of queue pairs,
 * {@link org.tutti.rdma.shm.transport.ReceiveSource} where receives come from.
 */
package org.tutti.rdma.shm.transport;
