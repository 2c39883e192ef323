/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Starts, watches and ends the ranks of a job. This package is what commands and jobs of other modules use; the
 * packages below it are the launcher's own. From the lowest up: {@code io}, {@code host}, {@code rank}, {@code agent},
 * {@code job}, {@code cli}.
 */
package org.tutti.launcher;
