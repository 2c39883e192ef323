/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Commands that tell people what there is, beside those that run jobs. */
package org.tutti.tools;
