/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a software adapter does whatever the way to its peers: {@link org.tutti.rdma.soft.SoftContext} and the verbs
 * objects created from it. {@link org.tutti.rdma.soft.segment} is the layout of their state, and
 * {@link org.tutti.rdma.soft.queue} has the queues, the checks of local keys, and the receiving side. The providers shm
 * and tcp add the execution of requests.
 */
package org.tutti.rdma.soft;
