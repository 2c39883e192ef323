/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Streams of ranks and of the launcher, and what the command line says and exits with. */
package org.tutti.launcher.io;
