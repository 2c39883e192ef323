/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the benchmark commands share. */
package org.tutti.benchmarks;
