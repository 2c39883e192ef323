/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti bench}: comparison of Tutti and other libraries on this host, and its reports. */
package org.tutti.benchmarks.suite;
