/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

/**
 * Offsets and sizes of libibverbs' structures, in bytes, and its constants, as in {@code infiniband/verbs.h} on 64-bit
 * Linux; they are part of the library's ABI. A test compares them with the header.
 */
final class Layout
{
    /** {@code struct ibv_device}. */
    static final int DEVICE_NODE_TYPE = 16;
    static final int DEVICE_TRANSPORT_TYPE = 20;
    static final int DEVICE_DEV_NAME = 88;
    static final int NAME_LENGTH = 64;

    /** {@code struct ibv_context}, and the fields before it if it is part of a {@code struct verbs_context}. */
    static final int CONTEXT_POLL_CQ = 96;
    static final int CONTEXT_REQ_NOTIFY_CQ = 104;
    static final int CONTEXT_POST_SRQ_RECV = 168;
    static final int CONTEXT_POST_SEND = 208;
    static final int CONTEXT_POST_RECV = 216;
    static final int CONTEXT_ASYNC_FD = 268;
    static final int CONTEXT_NUM_COMP_VECTORS = 272;
    /** {@code abi_compat} follows a {@code pthread_mutex_t}, which is longer on ARM. */
    static final int CONTEXT_ABI_COMPAT = "aarch64".equals(System.getProperty("os.arch")) ? 328 : 320;
    static final long CONTEXT_IS_EXTENDED = -1;
    static final int BEFORE_CONTEXT_SIZE = 8;
    static final int BEFORE_CONTEXT_QUERY_DEVICE_EX = 104;

    /** {@code struct ibv_device_attr}. */
    static final int DEVICE_ATTR_SIZE = 232;
    static final int DEVICE_ATTR_FW_VER = 0;
    static final int DEVICE_ATTR_NODE_GUID = 64;
    static final int DEVICE_ATTR_SYS_IMAGE_GUID = 72;
    static final int DEVICE_ATTR_MAX_MR_SIZE = 80;
    static final int DEVICE_ATTR_PAGE_SIZE_CAP = 88;
    static final int DEVICE_ATTR_VENDOR_ID = 96;
    static final int DEVICE_ATTR_VENDOR_PART_ID = 100;
    static final int DEVICE_ATTR_HW_VER = 104;
    static final int DEVICE_ATTR_MAX_QP = 108;
    static final int DEVICE_ATTR_MAX_QP_WR = 112;
    static final int DEVICE_ATTR_DEVICE_CAP_FLAGS = 116;
    static final int DEVICE_ATTR_MAX_SGE = 120;
    static final int DEVICE_ATTR_MAX_SGE_RD = 124;
    static final int DEVICE_ATTR_MAX_CQ = 128;
    static final int DEVICE_ATTR_MAX_CQE = 132;
    static final int DEVICE_ATTR_MAX_MR = 136;
    static final int DEVICE_ATTR_MAX_PD = 140;
    static final int DEVICE_ATTR_MAX_QP_RD_ATOM = 144;
    static final int DEVICE_ATTR_MAX_RES_RD_ATOM = 152;
    static final int DEVICE_ATTR_MAX_QP_INIT_RD_ATOM = 156;
    static final int DEVICE_ATTR_ATOMIC_CAP = 164;
    static final int DEVICE_ATTR_MAX_MW = 176;
    static final int DEVICE_ATTR_MAX_RAW_ETHY_QP = 184;
    static final int DEVICE_ATTR_MAX_MCAST_GRP = 188;
    static final int DEVICE_ATTR_MAX_MCAST_QP_ATTACH = 192;
    static final int DEVICE_ATTR_MAX_TOTAL_MCAST_QP_ATTACH = 196;
    static final int DEVICE_ATTR_MAX_AH = 200;
    static final int DEVICE_ATTR_MAX_SRQ = 212;
    static final int DEVICE_ATTR_MAX_SRQ_WR = 216;
    static final int DEVICE_ATTR_MAX_SRQ_SGE = 220;
    static final int DEVICE_ATTR_MAX_PKEYS = 224;
    static final int DEVICE_ATTR_LOCAL_CA_ACK_DELAY = 226;
    static final int DEVICE_ATTR_PHYS_PORT_CNT = 227;

    /** {@code struct ibv_device_attr_ex}, with its original length; it has grown since. */
    static final int DEVICE_ATTR_EX_SIZE = 400;
    static final int DEVICE_ATTR_EX_ODP_GENERAL_CAPS = 240;
    static final int ODP_SUPPORT = 1;

    /** {@code struct ibv_port_attr}. */
    static final int PORT_ATTR_SIZE = 52;
    static final int PORT_ATTR_STATE = 0;
    static final int PORT_ATTR_MAX_MTU = 4;
    static final int PORT_ATTR_ACTIVE_MTU = 8;
    static final int PORT_ATTR_GID_TBL_LEN = 12;
    static final int PORT_ATTR_PORT_CAP_FLAGS = 16;
    static final int PORT_ATTR_MAX_MSG_SZ = 20;
    static final int PORT_ATTR_BAD_PKEY_CNTR = 24;
    static final int PORT_ATTR_QKEY_VIOL_CNTR = 28;
    static final int PORT_ATTR_PKEY_TBL_LEN = 32;
    static final int PORT_ATTR_LID = 34;
    static final int PORT_ATTR_SM_LID = 36;
    static final int PORT_ATTR_LMC = 38;
    static final int PORT_ATTR_MAX_VL_NUM = 39;
    static final int PORT_ATTR_SM_SL = 40;
    static final int PORT_ATTR_SUBNET_TIMEOUT = 41;
    static final int PORT_ATTR_INIT_TYPE_REPLY = 42;
    static final int PORT_ATTR_ACTIVE_WIDTH = 43;
    static final int PORT_ATTR_ACTIVE_SPEED = 44;
    static final int PORT_ATTR_PHYS_STATE = 45;
    static final int PORT_ATTR_LINK_LAYER = 46;

    /** {@code struct ibv_gid_entry}. */
    static final int GID_ENTRY_SIZE = 32;
    static final int GID_ENTRY_GID = 0;
    static final int GID_ENTRY_GID_INDEX = 16;
    static final int GID_ENTRY_PORT_NUM = 20;
    static final int GID_ENTRY_GID_TYPE = 24;
    static final int GID_ENTRY_NDEV_IFINDEX = 28;

    /** {@code struct ibv_mr}. */
    static final int MR_LKEY = 36;
    static final int MR_RKEY = 40;

    /** {@code struct ibv_comp_channel}. */
    static final int COMP_CHANNEL_FD = 8;

    /** {@code struct ibv_cq}. */
    static final int CQ_CQE = 28;

    /** {@code struct ibv_qp}. */
    static final int QP_QP_NUM = 52;

    /** {@code struct ibv_qp_cap}. */
    static final int QP_CAP_MAX_SEND_WR = 0;
    static final int QP_CAP_MAX_RECV_WR = 4;
    static final int QP_CAP_MAX_SEND_SGE = 8;
    static final int QP_CAP_MAX_RECV_SGE = 12;
    static final int QP_CAP_MAX_INLINE_DATA = 16;

    /** {@code struct ibv_qp_init_attr}. */
    static final int QP_INIT_ATTR_SIZE = 64;
    static final int QP_INIT_ATTR_SEND_CQ = 8;
    static final int QP_INIT_ATTR_RECV_CQ = 16;
    static final int QP_INIT_ATTR_SRQ = 24;
    static final int QP_INIT_ATTR_CAP = 32;
    static final int QP_INIT_ATTR_QP_TYPE = 52;
    static final int QP_INIT_ATTR_SQ_SIG_ALL = 56;

    /** {@code struct ibv_qp_attr}. */
    static final int QP_ATTR_SIZE = 144;
    static final int QP_ATTR_QP_STATE = 0;
    static final int QP_ATTR_CUR_QP_STATE = 4;
    static final int QP_ATTR_PATH_MTU = 8;
    static final int QP_ATTR_PATH_MIG_STATE = 12;
    static final int QP_ATTR_QKEY = 16;
    static final int QP_ATTR_RQ_PSN = 20;
    static final int QP_ATTR_SQ_PSN = 24;
    static final int QP_ATTR_DEST_QP_NUM = 28;
    static final int QP_ATTR_QP_ACCESS_FLAGS = 32;
    static final int QP_ATTR_CAP = 36;
    static final int QP_ATTR_AH_ATTR = 56;
    static final int QP_ATTR_ALT_AH_ATTR = 88;
    static final int QP_ATTR_PKEY_INDEX = 120;
    static final int QP_ATTR_ALT_PKEY_INDEX = 122;
    static final int QP_ATTR_EN_SQD_ASYNC_NOTIFY = 124;
    static final int QP_ATTR_SQ_DRAINING = 125;
    static final int QP_ATTR_MAX_RD_ATOMIC = 126;
    static final int QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
    static final int QP_ATTR_MIN_RNR_TIMER = 128;
    static final int QP_ATTR_PORT_NUM = 129;
    static final int QP_ATTR_TIMEOUT = 130;
    static final int QP_ATTR_RETRY_CNT = 131;
    static final int QP_ATTR_RNR_RETRY = 132;
    static final int QP_ATTR_ALT_PORT_NUM = 133;
    static final int QP_ATTR_ALT_TIMEOUT = 134;
    static final int QP_ATTR_RATE_LIMIT = 136;

    /** {@code struct ibv_ah_attr}. */
    static final int AH_ATTR_SIZE = 32;
    static final int AH_ATTR_DGID = 0;
    static final int AH_ATTR_FLOW_LABEL = 16;
    static final int AH_ATTR_SGID_INDEX = 20;
    static final int AH_ATTR_HOP_LIMIT = 21;
    static final int AH_ATTR_TRAFFIC_CLASS = 22;
    static final int AH_ATTR_DLID = 24;
    static final int AH_ATTR_SL = 26;
    static final int AH_ATTR_SRC_PATH_BITS = 27;
    static final int AH_ATTR_STATIC_RATE = 28;
    static final int AH_ATTR_IS_GLOBAL = 29;
    static final int AH_ATTR_PORT_NUM = 30;

    /** {@code struct ibv_srq_init_attr} and {@code struct ibv_srq_attr}. */
    static final int SRQ_INIT_ATTR_SIZE = 24;
    static final int SRQ_INIT_ATTR_ATTR = 8;
    static final int SRQ_ATTR_SIZE = 12;
    static final int SRQ_ATTR_MAX_WR = 0;
    static final int SRQ_ATTR_MAX_SGE = 4;
    static final int SRQ_ATTR_SRQ_LIMIT = 8;
    static final int SRQ_MAX_WR = 1;
    static final int SRQ_LIMIT = 2;

    /** {@code struct ibv_async_event}. */
    static final int ASYNC_EVENT_SIZE = 16;
    static final int ASYNC_EVENT_ELEMENT = 0;
    static final int ASYNC_EVENT_EVENT_TYPE = 8;

    /** {@code enum ibv_mtu}: {@code IBV_MTU_256} is 1, each next value stands for twice the MTU. */
    private static final int SMALLEST_MTU = 256;
    private static final int LARGEST_MTU = 4096;

    private Layout()
    {
    }

    static int mtuBytes(final int mtu)
    {
        return mtu <= 0 ? 0 : SMALLEST_MTU << (mtu - 1);
    }

    /**
     * The native value of a path MTU.
     *
     * @param bytes payload of a packet in bytes.
     * @return value from 1 to 5, or 0 if there is no such MTU.
     */
    static int mtu(final int bytes)
    {
        return Integer.bitCount(bytes) != 1 || bytes < SMALLEST_MTU || bytes > LARGEST_MTU ? 0 :
            Integer.numberOfTrailingZeros(bytes / SMALLEST_MTU) + 1;
    }
}
