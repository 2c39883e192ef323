/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Options shared by commands of several modules. */
package org.tutti.tools.options;
