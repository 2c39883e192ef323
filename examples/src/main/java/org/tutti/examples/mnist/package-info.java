/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Data-parallel training: each rank computes the gradients of its share of a batch, and an allreduce averages them. */
package org.tutti.examples.mnist;
