/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The store shared by a job's ranks, independent of the transport: keys and values, barriers, allgathers, deadlines.
 */
package org.tutti.bootstrap.store;
