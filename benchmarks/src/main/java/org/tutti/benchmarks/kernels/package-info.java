/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti kernels}: speed of the reduction kernels relative to the same loops in C. */
package org.tutti.benchmarks.kernels;
