/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Which algorithm, segment and window a call gets: by collective, number of ranks and length, or as the user says. */
package org.tutti.collectives.select;
