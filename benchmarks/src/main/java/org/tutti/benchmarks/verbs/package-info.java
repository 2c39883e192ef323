/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * {@code tutti perf write_lat} and {@code write_bw}: latency and bandwidth of one connection, measured as by perftest's
 * {@code ib_write_lat} and {@code ib_write_bw}, through Tutti's verbs binding.
 */
package org.tutti.benchmarks.verbs;
