/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** A job from its start to its end: its hosts, its failures, its exit code. */
package org.tutti.launcher.job;
