/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Public API of collective communication: communicators, element types, reduction operations and requests. */
package org.tutti.collectives;
