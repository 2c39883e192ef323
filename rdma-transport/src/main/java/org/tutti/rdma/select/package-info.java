/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Which device, port and GID to use, and why: from what devices report and the user asks for. */
package org.tutti.rdma.select;
