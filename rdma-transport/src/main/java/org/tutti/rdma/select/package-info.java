/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Selection of device, port and GID from the device reports and the user's request, with reasons. */
package org.tutti.rdma.select;
