/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Introductory jobs: hello, pi, heat diffusion, and in subpackages the training of a small network on real digits and
 * rping. The verbs tutorial is in {@link org.tutti.examples.verbs}.
 */
package org.tutti.examples;
