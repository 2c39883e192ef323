/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The processes of one host's ranks: what they execute, their environment, their start and their end. */
package org.tutti.launcher.rank;
