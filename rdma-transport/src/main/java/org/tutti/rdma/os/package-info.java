/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Access to the C library and the kernel for all providers: functions by the foreign function API, and values of
 * {@code /proc}. Independent of verbs, except for the exception type.
 */
package org.tutti.rdma.os;
