/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The execution of requests. {@link org.tutti.rdma.shm.transport.SendQueue} accepts a request,
 * {@link org.tutti.rdma.shm.transport.Requester} executes it, acts for the peer as
 * {@link org.tutti.rdma.shm.transport.Responder}, and adds the completions.
 * {@link org.tutti.rdma.shm.transport.Transport} holds the differences between the types of queue pairs,
 * {@link org.tutti.rdma.shm.transport.ReceiveSource} is the source of receives.
 */
package org.tutti.rdma.shm.transport;
