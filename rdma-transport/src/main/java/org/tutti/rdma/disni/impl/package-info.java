/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The provider {@code disni}, and all that touches DiSNI's classes. {@link org.tutti.rdma.disni.impl.ConnectionManager}
 * is the process's one thread for rdma_cm; {@link org.tutti.rdma.disni.impl.CmConnection} makes one queue pair's
 * connection; {@link org.tutti.rdma.disni.impl.CmEndpoint} is what DiSNI has of it, which comes and goes with
 * connections, while a {@link org.tutti.rdma.disni.impl.DisniQueuePair} keeps its number.
 */
package org.tutti.rdma.disni.impl;
