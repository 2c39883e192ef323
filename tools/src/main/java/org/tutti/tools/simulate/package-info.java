/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Predicts the duration of schedules from a cost model and a topology, without touching memory, a network or a clock.
 */
package org.tutti.tools.simulate;
