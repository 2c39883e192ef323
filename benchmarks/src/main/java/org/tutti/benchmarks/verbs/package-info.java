/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * {@code tutti perf write_lat} and {@code write_bw}: what one connection can do, measured as perftest's
 * {@code ib_write_lat} and {@code ib_write_bw} measure it, through Tutti's own verbs.
 */
package org.tutti.benchmarks.verbs;
