/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a collective does, apart from when and where: for each rank a list of steps over three buffers, with explicit
 * dependencies, in elements, without addresses. Schedules are made by pure functions and are read by the engine, the
 * checker, the simulator and the printer.
 */
package org.tutti.collectives.schedule;
