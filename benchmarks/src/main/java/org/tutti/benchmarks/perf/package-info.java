/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti perf}: times collectives and checks their data, and prints what nccl-tests print. */
package org.tutti.benchmarks.perf;
