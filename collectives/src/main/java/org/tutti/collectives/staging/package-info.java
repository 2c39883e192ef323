/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Calls on unregistered memory, and calls that are fused. */
package org.tutti.collectives.staging;
