/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The execution of requests. {@link org.tutti.rdma.shm.transport.SendQueue} accepts a request,
 * {@link org.tutti.rdma.shm.transport.Requester} executes it, runs the peer's side through
 * {@link org.tutti.rdma.soft.queue.Responder}, and adds the completions.
 * {@link org.tutti.rdma.soft.queue.Transport} implements what differs between the types of queue pairs, and
 * {@link org.tutti.rdma.soft.queue.ReceiveSource} supplies the receives.
 */
package org.tutti.rdma.shm.transport;
