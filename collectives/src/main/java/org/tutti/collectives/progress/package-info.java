/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Who calls, in which order, and what is done while a call waits; how communicators fail and close. */
package org.tutti.collectives.progress;
