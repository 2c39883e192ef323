/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The lifecycle of a job: its hosts, its failures, its exit code. */
package org.tutti.launcher.job;
