/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Executes the schedules of calls. */
package org.tutti.collectives.exec;
