/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A shared receive queue's attributes ({@code ibv_srq_attr}).
 *
 * @param maxWorkRequests capacity in receive requests.
 * @param maxSge          maximum number of entries in a request's scatter list.
 * @param limit           threshold in requests: an event is raised when fewer are left; 0 if disarmed.
 */
public record SharedReceiveQueueAttributes(int maxWorkRequests, int maxSge, int limit)
{
}
