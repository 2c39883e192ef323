/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * {@code tutti jmh}: measures single steps of the hot path, and with {@code -prof gc} shows that they do not allocate.
 */
package org.tutti.benchmarks.jmh;
