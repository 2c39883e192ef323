/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Software verbs over mapped shared memory: {@link org.tutti.rdma.shm.ShmProvider} and the objects of its contexts, on
 * top of three layers. From the lowest up: {@link org.tutti.rdma.soft.segment} is the layout of the memory that a
 * context shares, {@link org.tutti.rdma.shm.peer} the directory in which contexts find each other and their view of
 * each other, {@link org.tutti.rdma.shm.transport} the execution of requests. Only the provider is used from outside.
 */
package org.tutti.rdma.shm;
