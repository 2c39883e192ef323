/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A shared receive queue's attributes ({@code ibv_srq_attr}).
 *
 * @param maxWorkRequests new maximum number of work requests.
 * @param maxSge          entries of each request's scatter list.
 * @param limit           an event is made when fewer requests than this are left; 0 when disarmed.
 */
public record SharedReceiveQueueAttributes(int maxWorkRequests, int maxSge, int limit)
{
}
