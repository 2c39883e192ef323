/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Selects the algorithm, segment and window of a call, by collective, number of ranks and length, or as the user
 * requests.
 */
package org.tutti.collectives.select;
