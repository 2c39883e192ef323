/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti jmh}: measures single steps of the hot path, and that they do not allocate ({@code -prof gc}). */
package org.tutti.benchmarks.jmh;
