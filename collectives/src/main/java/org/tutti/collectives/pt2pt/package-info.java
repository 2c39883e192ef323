/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Point-to-point communication. */
package org.tutti.collectives.pt2pt;
