/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The store that a job's ranks share, without any transport: keys and values, barriers and allgathers, deadlines. */
package org.tutti.bootstrap.store;
