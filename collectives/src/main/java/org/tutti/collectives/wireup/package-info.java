/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The resources of a rank and of its communicators' teams, and how connections are made. */
package org.tutti.collectives.wireup;
