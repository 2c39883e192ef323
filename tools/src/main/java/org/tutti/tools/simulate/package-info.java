/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How long schedules take: schedules, a cost model and a topology go in, times come out. Nothing here touches memory,
 * a network or a clock.
 */
package org.tutti.tools.simulate;
