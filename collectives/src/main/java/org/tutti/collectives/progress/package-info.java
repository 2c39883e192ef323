/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The order of calls, which threads may make them, and progress while a call waits; failure and close. */
package org.tutti.collectives.progress;
