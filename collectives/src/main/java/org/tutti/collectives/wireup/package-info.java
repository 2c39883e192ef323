/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The resources of a rank and its teams, and connection setup. */
package org.tutti.collectives.wireup;
