/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What commands and jobs write for programs and for people: JSON, tables, plots and pages. */
package org.tutti.tools.report;
