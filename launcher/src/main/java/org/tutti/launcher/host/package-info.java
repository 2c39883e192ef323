/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Hosts: names, addresses, slots, cores and programs, access to remote hosts, and Slurm allocations. */
package org.tutti.launcher.host;
