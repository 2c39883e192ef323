/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A device's limits ({@code ibv_device_attr}): a plain structure, as in C, created by {@link Context#queryDevice}.
 * Fields that a provider does not support are 0.
 */
public final class DeviceAttributes
{
    /** {@code fw_ver}: free text. */
    public String firmwareVersion = "";
    /** EUI-64, host byte order. */
    public long nodeGuid;
    /** {@code sys_image_guid}: EUI-64, host byte order. */
    public long systemImageGuid;
    /** {@code max_mr_size}, in bytes; a 64-bit unsigned number. */
    public long maxMemoryRegionLength;
    /** {@code page_size_cap}: bit n is set when pages of 2^n bytes are supported. */
    public long pageSizes;
    /** {@code vendor_id}: the vendor's number, assigned by the IEEE. */
    public int vendorId;
    /** {@code vendor_part_id}. */
    public int vendorPartId;
    /** {@code hw_ver}. */
    public int hardwareVersion;
    /** {@code max_qp}. */
    public int maxQueuePairs;
    /** {@code max_qp_wr}, requests in each of a QP's two queues. */
    public int maxWorkRequests;
    /** {@code device_cap_flags}. */
    public int capabilityFlags;
    /** {@code max_sge}, entries of a scatter/gather list. */
    public int maxSge;
    /** {@code max_sge_rd}, entries of an RDMA read's scatter list; 0 if unknown. */
    public int maxSgeRead;
    /** {@code max_cq}. */
    public int maxCompletionQueues;
    /** {@code max_cqe}, completions in a CQ. */
    public int maxCqe;
    /** {@code max_mr}. */
    public int maxMemoryRegions;
    /** {@code max_pd}. */
    public int maxProtectionDomains;
    /** {@code max_qp_rd_atom}, outstanding reads and atomics of a QP as responder. */
    public int maxRdAtomic;
    /** {@code max_res_rd_atom}, outstanding reads and atomics of all QPs as responders. */
    public int maxResponderRdAtomic;
    /** {@code max_qp_init_rd_atom}, outstanding reads and atomics of a QP as requester. */
    public int maxInitRdAtomic;
    /** {@code atomic_cap}. */
    public AtomicCapability atomicCapability = AtomicCapability.NONE;
    /** {@code max_mw}. */
    public int maxMemoryWindows;
    /** {@code max_raw_ethy_qp}. */
    public int maxRawQueuePairs;
    /** {@code max_mcast_grp}. */
    public int maxMulticastGroups;
    /** {@code max_mcast_qp_attach}, queue pairs in a multicast group. */
    public int maxMulticastQueuePairs;
    /** {@code max_total_mcast_qp_attach}, queue pairs in all multicast groups. */
    public int maxMulticastAttachments;
    /** {@code max_ah}. */
    public int maxAddressHandles;
    /** {@code max_srq}. */
    public int maxSharedReceiveQueues;
    /** {@code max_srq_wr}, receive requests in a shared receive queue. */
    public int maxSharedWorkRequests;
    /** {@code max_srq_sge}, entries of a shared receive's scatter list. */
    public int maxSharedSge;
    /** {@code max_pkeys}, entries of the P_Key table. */
    public int maxPkeys;
    /** {@code local_ca_ack_delay}: a message is acknowledged within 4.096 µs × 2^n. */
    public int localAckDelay;
    /** {@code phys_port_cnt}. */
    public int physicalPorts;
    /** Maximum inline data of a work request, in bytes; a queue pair may be granted less. */
    public int maxInlineData;
    /** Whether {@link AccessFlags#ON_DEMAND} is supported ({@code odp_caps}). */
    public boolean onDemandPaging;
}
