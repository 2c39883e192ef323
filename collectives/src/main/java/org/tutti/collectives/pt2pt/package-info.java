/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Sends and receives. */
package org.tutti.collectives.pt2pt;
