/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Starts, watches and ends the ranks of a job. */
package org.tutti.launcher;
