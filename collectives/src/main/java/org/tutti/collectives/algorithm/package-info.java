/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The algorithms: one class each, pure functions from a request to a schedule. */
package org.tutti.collectives.algorithm;
