/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Distributed training with LightGBM: each rank has some of the rows, and all ranks build the same trees. */
package org.tutti.examples.lightgbm;
