/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The queues of a queue pair: {@link org.tutti.rdma.soft.queue.SendQueue} checks and completes sends,
 * {@link org.tutti.rdma.soft.queue.ReceiveSource} supplies receives, {@link org.tutti.rdma.soft.queue.Responder}
 * completes them, and {@link org.tutti.rdma.soft.queue.Transport} is what depends on the service and the peers.
 */
package org.tutti.rdma.soft.queue;
