/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The state that a context shares with its peers, and its layout: {@link org.tutti.rdma.soft.segment.ControlLayout}
 * describes a control segment, the other classes read and write its parts. Most are stateless functions of addresses.
 */
package org.tutti.rdma.soft.segment;
