/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Software verbs over mapped shared memory: {@link org.tutti.rdma.shm.ShmProvider} and the objects of its contexts, on
 * three layers, lowest first. {@link org.tutti.rdma.shm.segment} is what a context shares and how it lies in memory,
 * {@link org.tutti.rdma.shm.peer} the directory in which contexts meet and what they know of each other,
 * {@link org.tutti.rdma.shm.transport} what becomes of a request. Only the provider is used from outside.
 */
package org.tutti.rdma.shm;
