/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Windows: one-sided access to memory of other ranks. */
package org.tutti.collectives.rma;
