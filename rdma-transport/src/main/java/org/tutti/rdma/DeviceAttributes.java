/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A device's limits ({@code ibv_device_attr}).
 *
 * @param firmwareVersion       free text.
 * @param nodeGuid              EUI-64, host byte order.
 * @param maxMemoryRegionLength {@code max_mr_size}, in bytes.
 * @param maxQueuePairs         {@code max_qp}.
 * @param maxWorkRequests       {@code max_qp_wr}, for each of a QP's two queues.
 * @param maxSge                {@code max_sge}, entries of a scatter/gather list.
 * @param maxCompletionQueues   {@code max_cq}.
 * @param maxCqe                {@code max_cqe}, completions in a CQ.
 * @param maxMemoryRegions      {@code max_mr}.
 * @param maxProtectionDomains  {@code max_pd}.
 * @param maxRdAtomic           {@code max_qp_rd_atom}, outstanding reads and atomics of a QP as responder.
 * @param maxInlineData         bytes that a work request can carry inline.
 * @param physicalPorts         {@code phys_port_cnt}.
 */
public record DeviceAttributes(
    String firmwareVersion,
    long nodeGuid,
    long maxMemoryRegionLength,
    int maxQueuePairs,
    int maxWorkRequests,
    int maxSge,
    int maxCompletionQueues,
    int maxCqe,
    int maxMemoryRegions,
    int maxProtectionDomains,
    int maxRdAtomic,
    int maxInlineData,
    int physicalPorts)
{
}
