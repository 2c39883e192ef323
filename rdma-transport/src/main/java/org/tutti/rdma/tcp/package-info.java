/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Verbs over TCP as software iWARP: {@link org.tutti.rdma.tcp.TcpProvider} and its contexts. It needs nothing but TCP,
 * and connects Tutti's own queue pairs, and other implementations of iWARP if the provider permits that.
 * {@link org.tutti.rdma.tcp.wire} is the layout of frames and {@link org.tutti.rdma.tcp.stream} what a connection does.
 * Only the provider is used from outside.
 */
package org.tutti.rdma.tcp;
