/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti kernels}: how fast reductions are next to the same loops in C. */
package org.tutti.benchmarks.kernels;
