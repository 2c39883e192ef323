/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The processes of one host's ranks: their programs, environment, start and end. */
package org.tutti.launcher.rank;
