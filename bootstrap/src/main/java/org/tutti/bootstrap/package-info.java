/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Rendezvous: which ranks there are on which hosts, and the bytes that ranks exchange to reach each other. */
package org.tutti.bootstrap;
