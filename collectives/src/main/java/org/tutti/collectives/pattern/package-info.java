/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Who talks to whom, and about which part of the data: arithmetic that algorithms share, without steps. */
package org.tutti.collectives.pattern;
