/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * The capacities of a queue pair ({@code ibv_qp_cap}): at least the requested ones.
 *
 * @param maxSendRequests    outstanding send requests.
 * @param maxReceiveRequests outstanding receive requests.
 * @param maxSendSge         entries of a send request's gather list.
 * @param maxReceiveSge      entries of a receive request's scatter list.
 * @param maxInlineData      bytes that a send request can carry inline.
 */
public record QueuePairCapabilities(
    int maxSendRequests, int maxReceiveRequests, int maxSendSge, int maxReceiveSge, int maxInlineData)
{
}
