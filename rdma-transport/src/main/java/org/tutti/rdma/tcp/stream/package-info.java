/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The two halves of a connection. {@link org.tutti.rdma.tcp.stream.FrameWriter} and
 * {@link org.tutti.rdma.tcp.stream.FrameReader} move frames between a socket and registered memory,
 * {@link org.tutti.rdma.tcp.stream.WireSendQueue} is the requester and {@link org.tutti.rdma.tcp.stream.WireResponder}
 * the responder of a queue pair, and {@link org.tutti.rdma.tcp.stream.WireConnection} runs both.
 */
package org.tutti.rdma.tcp.stream;
