/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The cost model: times of algorithms in closed form, from latencies and bandwidths of the wires. */
package org.tutti.collectives.select.model;
