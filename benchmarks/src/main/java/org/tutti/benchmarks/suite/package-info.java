/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** {@code tutti bench}: Tutti and its peers side by side on this host, and the reports of it. */
package org.tutti.benchmarks.suite;
