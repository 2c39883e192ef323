/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Endpoints, which send messages to a peer through shared memory or over a queue pair, and the message formats. */
package org.tutti.collectives.endpoint;
