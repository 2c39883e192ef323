/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What a job's coordinator knows, without any transport: keys and values, gatherings of ranks, and their deadlines. */
package org.tutti.bootstrap.store;
