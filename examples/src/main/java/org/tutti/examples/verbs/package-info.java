/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The tutorial: programs to learn verbs from, each a file to read from top to bottom and to run by
 * {@code tutti example NAME}. Start with {@link org.tutti.examples.verbs.Exercise1Devices}; what several of them need
 * is in {@link org.tutti.examples.verbs.Port} (which device), {@link org.tutti.examples.verbs.OutOfBandConnection} (the
 * exchange of addresses before), {@link org.tutti.examples.verbs.States} (how a queue pair comes up) and
 * {@link org.tutti.examples.verbs.WorkRequests} (how work is asked for, and its end awaited).
 */
package org.tutti.examples.verbs;
