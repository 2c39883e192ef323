/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The bootstrap over Aeron: a coordinator, and the ranks that join it. No other package uses Aeron. */
package org.tutti.bootstrap.aeron;
