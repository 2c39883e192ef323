/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Calls on memory that is not registered, and calls that are made as one. */
package org.tutti.collectives.staging;
