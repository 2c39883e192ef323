/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Features of DiSNI beyond the verbs interface: rdma_cm connections to programs other than Tutti. */
package org.tutti.examples.disni;
