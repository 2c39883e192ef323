/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti jmh}: what single steps of the hot path cost, and that they allocate nothing ({@code -prof gc}). */
package org.tutti.benchmarks.jmh;
