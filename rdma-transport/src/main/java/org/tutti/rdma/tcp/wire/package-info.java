/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The layout of frames: MPA (RFC 5044, 6581), DDP (RFC 5041), RDMAP (RFC 5040) and its extensions (RFC 7306). Stateless
 * functions of addresses and buffers; all integers are big-endian unless stated otherwise.
 */
package org.tutti.rdma.tcp.wire;
