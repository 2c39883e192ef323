/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a context shares with its peers, and how it lies there: {@link org.tutti.rdma.shm.segment.ControlLayout} is the
 * map of a control segment, the other classes read and write its parts. Most are functions of addresses that know
 * neither whose segment it is nor which thread calls.
 */
package org.tutti.rdma.shm.segment;
