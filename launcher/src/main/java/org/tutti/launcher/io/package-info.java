/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The streams of ranks and of the launcher, exit codes and usage errors. */
package org.tutti.launcher.io;
