/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Devices and ports of a rank, with their queues and events. */
package org.tutti.collectives.device;
