/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The settings of a rank, read once. */
package org.tutti.collectives.config;
