/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Classes that use DiSNI's own API, created by {@link org.tutti.rdma.disni.DisniProvider}. */
package org.tutti.examples.disni.cm;
