/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Endpoints, by which messages go to a peer, and what messages consist of: by shared memory or by a queue pair. */
package org.tutti.collectives.endpoint;
