/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Settings of a rank, read once at startup. */
package org.tutti.collectives.config;
