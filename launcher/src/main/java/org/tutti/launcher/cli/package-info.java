/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The command line: commands, options, completion and error reports. */
package org.tutti.launcher.cli;
