/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What DiSNI can that the interface of verbs has not: connecting by rdma_cm with programs that no one here wrote. */
package org.tutti.examples.disni;
