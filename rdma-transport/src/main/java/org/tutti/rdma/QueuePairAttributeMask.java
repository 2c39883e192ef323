/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Selects the fields of {@link QueuePairAttributes} that a modify call uses ({@code ibv_qp_attr_mask}). */
public final class QueuePairAttributeMask
{
    /** {@code qp_state}. */
    public static final int STATE = 1;
    /** {@code cur_qp_state}. */
    public static final int CUR_STATE = 1 << 1;
    /** {@code en_sqd_async_notify}. */
    public static final int EN_SQD_ASYNC_NOTIFY = 1 << 2;
    /** {@code qp_access_flags}. */
    public static final int ACCESS_FLAGS = 1 << 3;
    /** {@code pkey_index}. */
    public static final int PKEY_INDEX = 1 << 4;
    /** {@code port_num}. */
    public static final int PORT = 1 << 5;
    /** {@code qkey}. */
    public static final int QKEY = 1 << 6;
    /** {@code ah_attr}. */
    public static final int AV = 1 << 7;
    /** {@code path_mtu}. */
    public static final int PATH_MTU = 1 << 8;
    /** {@code timeout}. */
    public static final int TIMEOUT = 1 << 9;
    /** {@code retry_cnt}. */
    public static final int RETRY_CNT = 1 << 10;
    /** {@code rnr_retry}. */
    public static final int RNR_RETRY = 1 << 11;
    /** {@code rq_psn}. */
    public static final int RQ_PSN = 1 << 12;
    /** {@code max_rd_atomic}. */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;
    /** {@code alt_ah_attr}, with its P_Key index, port and timeout. */
    public static final int ALT_PATH = 1 << 14;
    /** {@code min_rnr_timer}. */
    public static final int MIN_RNR_TIMER = 1 << 15;
    /** {@code sq_psn}. */
    public static final int SQ_PSN = 1 << 16;
    /** {@code max_dest_rd_atomic}. */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;
    /** {@code path_mig_state}. */
    public static final int PATH_MIG_STATE = 1 << 18;
    /** {@code cap}: the sizes of the queues. */
    public static final int CAP = 1 << 19;
    /** {@code dest_qp_num}. */
    public static final int DEST_QPN = 1 << 20;
    /** {@code rate_limit}. */
    public static final int RATE_LIMIT = 1 << 25;

    /** The attributes that the transition from RESET to INIT of an RC queue pair requires. */
    public static final int RC_INIT = STATE | PKEY_INDEX | PORT | ACCESS_FLAGS;
    /** The attributes that the transition from INIT to RTR of an RC queue pair requires. */
    public static final int RC_RTR =
        STATE | AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
    /** The attributes that the transition from RTR to RTS of an RC queue pair requires. */
    public static final int RC_RTS = STATE | TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC;

    /** The attributes that the transition from RESET to INIT of a UC queue pair requires. */
    public static final int UC_INIT = RC_INIT;
    /** The attributes that the transition from INIT to RTR of a UC queue pair requires. */
    public static final int UC_RTR = STATE | AV | PATH_MTU | DEST_QPN | RQ_PSN;
    /** The attributes that the transition from RTR to RTS of a UC queue pair requires. */
    public static final int UC_RTS = STATE | SQ_PSN;

    /** The attributes that the transition from RESET to INIT of a UD queue pair requires. */
    public static final int UD_INIT = STATE | PKEY_INDEX | PORT | QKEY;
    /** The attributes that the transition from INIT to RTR of a UD queue pair requires. */
    public static final int UD_RTR = STATE;
    /** The attributes that the transition from RTR to RTS of a UD queue pair requires. */
    public static final int UD_RTS = STATE | SQ_PSN;

    private QueuePairAttributeMask()
    {
    }
}
