/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Which ranks exchange which elements: arithmetic that algorithms share, without steps. */
package org.tutti.collectives.pattern;
