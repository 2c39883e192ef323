/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How the ranks of a Slurm step on several hosts agree on a secret: by PMI-2, MUNGE or a file. */
package org.tutti.bootstrap.step;
