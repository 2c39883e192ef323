/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Order of calls, the threads that may make them, progress while a call waits, failure and close. */
package org.tutti.collectives.progress;
