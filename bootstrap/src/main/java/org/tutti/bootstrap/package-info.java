/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Rendezvous: who is where, and the bytes that ranks exchange to reach each other. */
package org.tutti.bootstrap;
