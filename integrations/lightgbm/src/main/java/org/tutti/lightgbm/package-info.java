/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Distributed training with LightGBM: the ranks of a job build the same trees from the data of all. */
package org.tutti.lightgbm;
