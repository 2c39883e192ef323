/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Starts, watches and ends the ranks of a job. Commands and jobs of other modules use this package; its subpackages are
 * internal to the launcher. From the lowest layer up: {@code io}, {@code host}, {@code rank}, {@code agent}, {@code
 * job}, {@code cli}.
 */
package org.tutti.launcher;
