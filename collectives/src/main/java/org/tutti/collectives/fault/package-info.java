/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Finds out what went wrong, and says it. */
package org.tutti.collectives.fault;
