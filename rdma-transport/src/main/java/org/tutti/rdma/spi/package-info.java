/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * For providers that keep a queue pair's state themselves: which changes are allowed, and the attributes that were set.
 * Users of verbs need nothing of it.
 */
package org.tutti.rdma.spi;
