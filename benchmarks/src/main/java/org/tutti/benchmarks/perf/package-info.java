/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti perf}: times operations and checks their data, with the output of nccl-tests. */
package org.tutti.benchmarks.perf;
