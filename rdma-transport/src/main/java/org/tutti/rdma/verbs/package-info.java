/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * InfiniBand, RoCE and Soft-RoCE devices of this host by {@code libibverbs.so.1}, through the foreign function API;
 * this package has no native code. The ports of iWARP devices are listed, but their queue pairs can be connected only
 * by rdma_cm, which this provider does not use.
 */
package org.tutti.rdma.verbs;
