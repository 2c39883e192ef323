/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Schedules: for each rank of a collective, a list of steps on three buffers, with explicit dependencies, in elements,
 * without addresses. Pure functions generate them; the engine, the checker, the simulator and the printer read them.
 */
package org.tutti.collectives.schedule;
