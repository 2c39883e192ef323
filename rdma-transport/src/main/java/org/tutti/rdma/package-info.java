/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Verbs for Java: the object model of libibverbs, one to one. Work requests and completions are flyweights in the
 * memory layout of libibverbs. Providers implement it; {@link org.tutti.rdma.RdmaProvider#load} finds them by name.
 * <p>
 * The names and semantics are those of the InfiniBand Architecture Specification, volume 1, release 1.4 (chapters 9
 * to 11), and of the manual pages of rdma-core.
 */
package org.tutti.rdma;
