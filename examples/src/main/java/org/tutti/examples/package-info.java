/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Introductory jobs: hello, pi, and heat diffusion; in subpackages, rping and the training of a small network on real
 * digits. The verbs tutorial is in {@link org.tutti.examples.verbs}.
 */
package org.tutti.examples;
