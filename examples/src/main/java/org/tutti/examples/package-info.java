/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Jobs to read first: hello, pi, and the training of a small network on real digits. Programs to learn verbs from are
 * in {@link org.tutti.examples.verbs}.
 */
package org.tutti.examples;
