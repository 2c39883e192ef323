/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The C library and the kernel, for all providers: functions by the foreign function API, and what {@code /proc} says.
 * Nothing here knows verbs, but for the exception that a failure is reported by.
 */
package org.tutti.rdma.os;
