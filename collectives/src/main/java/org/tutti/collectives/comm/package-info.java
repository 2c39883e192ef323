/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Communicators. */
package org.tutti.collectives.comm;
