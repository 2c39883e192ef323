/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The provider {@code disni} and all classes that use DiSNI. {@link org.tutti.rdma.disni.impl.ConnectionManager} is the
 * process's thread for rdma_cm; {@link org.tutti.rdma.disni.impl.CmConnection} establishes one queue pair's connection;
 * {@link org.tutti.rdma.disni.impl.CmEndpoint} is its DiSNI queue pair, which exists per connection, while a
 * {@link org.tutti.rdma.disni.impl.DisniQueuePair} keeps its number.
 */
package org.tutti.rdma.disni.impl;
