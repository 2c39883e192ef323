/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * RDMA devices of this host by {@code libibverbs.so.1}, through the foreign function API: InfiniBand, RoCE, iWARP and
 * Soft-RoCE. There is no native code of ours.
 */
package org.tutti.rdma.verbs;
