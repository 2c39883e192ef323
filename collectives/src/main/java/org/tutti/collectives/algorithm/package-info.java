/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The algorithms, one class each: pure functions from a request to a schedule; and the table of them. A <i>chunk</i> is
 * one rank's share of data that all ranks have, a <i>block</i> the data that one rank has for itself or for one other
 * rank, a <i>segment</i> the unit of pipelining. A <i>slot</i> is a place in SCRATCH for one of these.
 */
package org.tutti.collectives.algorithm;
