/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The arithmetic of reductions, over native memory. */
package org.tutti.collectives.reduce;
