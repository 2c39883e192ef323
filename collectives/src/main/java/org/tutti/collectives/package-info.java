/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Collective communication: communicators, and the types and operations of their calls. */
package org.tutti.collectives;
