/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Options that commands of several modules have in common. */
package org.tutti.tools.options;
