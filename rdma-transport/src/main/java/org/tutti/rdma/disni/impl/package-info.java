/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The implementation of the provider {@code disni}: all classes that use DiSNI.
 * {@link org.tutti.rdma.disni.impl.ConnectionManager} is the process's thread for rdma_cm;
 * {@link org.tutti.rdma.disni.impl.CmConnection} establishes one queue pair's connection;
 * {@link org.tutti.rdma.disni.impl.CmEndpoint} is the DiSNI queue pair of one connection, while a
 * {@link org.tutti.rdma.disni.impl.DisniQueuePair} keeps its number from one connection to the next.
 */
package org.tutti.rdma.disni.impl;
