/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Commands that report and predict, in contrast to those that run jobs. */
package org.tutti.tools;
