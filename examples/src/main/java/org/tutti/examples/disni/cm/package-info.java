/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The side that talks: classes that use DiSNI's own, and are made by {@link org.tutti.rdma.disni.DisniProvider}. */
package org.tutti.examples.disni.cm;
