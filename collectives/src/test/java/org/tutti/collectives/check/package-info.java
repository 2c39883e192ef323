/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Proves schedules right without running them: that arrivals are waited for, that nothing can deadlock, that
 * conflicting accesses are ordered, and that every rank ends with what the collective promises.
 */
package org.tutti.collectives.check;
