/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Hosts: their names, addresses, slots, cores and programs, how others are reached, and what Slurm allocated. */
package org.tutti.launcher.host;
