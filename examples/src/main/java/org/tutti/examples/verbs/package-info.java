/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The verbs tutorial: programs in one file each, to read from top to bottom and to run by {@code tutti example NAME}.
 * Start with {@link org.tutti.examples.verbs.Exercise1Devices}. Shared parts are in
 * {@link org.tutti.examples.verbs.Port} (choice of the device),
 * {@link org.tutti.examples.verbs.OutOfBandConnection} (exchange of addresses),
 * {@link org.tutti.examples.verbs.States} (state transitions of a queue pair) and
 * {@link org.tutti.examples.verbs.WorkRequests} (work requests and their completions).
 */
package org.tutti.examples.verbs;
