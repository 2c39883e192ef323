/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Data-parallel training with DJL: the ranks of a job train one model together. */
package org.tutti.djl;
