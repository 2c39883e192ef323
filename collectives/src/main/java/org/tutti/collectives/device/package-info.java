/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The devices and ports of a rank, their queues and events. */
package org.tutti.collectives.device;
