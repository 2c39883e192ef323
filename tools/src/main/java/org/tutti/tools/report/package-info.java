/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Output of commands and jobs: JSON, number formats, plots and HTML pages. */
package org.tutti.tools.report;
