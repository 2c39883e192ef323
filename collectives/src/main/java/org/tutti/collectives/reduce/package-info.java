/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Arithmetic of reductions on native memory. */
package org.tutti.collectives.reduce;
