/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What every layer above uses: waiting, memory, resources. */
package org.tutti.collectives.util;
