/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Utilities shared by all packages: idle strategy, memory, resources. */
package org.tutti.collectives.util;
