/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Executes schedules over registered memory, and the communicators made of that. */
package org.tutti.collectives.engine;
