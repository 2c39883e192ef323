/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Proves schedules correct without running them: arrivals are waited for, ranks cannot deadlock, conflicting accesses
 * are ordered, and every rank ends with the result that the collective promises.
 */
package org.tutti.collectives.check;
