/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Communication patterns and data layouts that algorithms share: pure arithmetic, without steps. */
package org.tutti.collectives.pattern;
