/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;

import static org.tutti.rdma.QueuePairAttributeMask.ACCESS_FLAGS;
import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.CUR_STATE;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;
import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_DEST_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_QP_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MIN_RNR_TIMER;
import static org.tutti.rdma.QueuePairAttributeMask.PATH_MTU;
import static org.tutti.rdma.QueuePairAttributeMask.PKEY_INDEX;
import static org.tutti.rdma.QueuePairAttributeMask.PORT;
import static org.tutti.rdma.QueuePairAttributeMask.QKEY;
import static org.tutti.rdma.QueuePairAttributeMask.RETRY_CNT;
import static org.tutti.rdma.QueuePairAttributeMask.RNR_RETRY;
import static org.tutti.rdma.QueuePairAttributeMask.RQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.SQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.TIMEOUT;

/**
 * The state transitions of one type of queue pair, and the attributes that each requires or allows.
 *
 * @param init            attributes that RESET to INIT requires, and INIT to INIT allows.
 * @param rtr             attributes that INIT to RTR requires.
 * @param rtrOptional     attributes that INIT to RTR allows.
 * @param rts             attributes that RTR to RTS requires.
 * @param running         attributes that all transitions to RTS allow.
 * @param drained         attributes that SQD to SQD allows.
 * @param hasFailingSends whether the type has the state SQE.
 */
record Transitions(
    int init, int rtr, int rtrOptional, int rts, int running, int drained, boolean hasFailingSends)
{
    /** Used instead of a mask if there is no such transition. */
    static final int FORBIDDEN = -1;

    private static final int CONNECTED_INIT = PKEY_INDEX | PORT | ACCESS_FLAGS;
    private static final int CONNECTED_RTR = AV | PATH_MTU | DEST_QPN | RQ_PSN;

    private static final Transitions RC = new Transitions(CONNECTED_INIT,
        CONNECTED_RTR | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER, ACCESS_FLAGS | PKEY_INDEX,
        TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC, CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER,
        PORT | AV | TIMEOUT | RETRY_CNT | RNR_RETRY | MAX_QP_RD_ATOMIC | MAX_DEST_RD_ATOMIC | CUR_STATE |
        PKEY_INDEX | ACCESS_FLAGS | MIN_RNR_TIMER, false);
    private static final Transitions UC = new Transitions(CONNECTED_INIT, CONNECTED_RTR, ACCESS_FLAGS | PKEY_INDEX,
        SQ_PSN, CUR_STATE | ACCESS_FLAGS, AV | CUR_STATE | ACCESS_FLAGS | PKEY_INDEX, true);
    private static final Transitions UD = new Transitions(PKEY_INDEX | PORT | QKEY, 0, PKEY_INDEX | QKEY,
        SQ_PSN, CUR_STATE | QKEY, CUR_STATE | PKEY_INDEX | QKEY, true);

    static Transitions of(final QueuePairType type)
    {
        return switch (type)
        {
            case RC -> RC;
            case UC -> UC;
            case UD -> UD;
        };
    }

    /**
     * The attributes that a transition requires.
     *
     * @param from current state.
     * @param to   next state.
     * @return a mask, or {@link #FORBIDDEN}.
     */
    int required(final QueuePairState from, final QueuePairState to)
    {
        if (to == QueuePairState.RESET || to == QueuePairState.ERR)
        {
            return 0;
        }
        return switch (from)
        {
            case RESET -> to == QueuePairState.INIT ? init : FORBIDDEN;
            case INIT -> to == QueuePairState.INIT ? 0 : to == QueuePairState.RTR ? rtr : FORBIDDEN;
            case RTR -> to == QueuePairState.RTS ? rts : FORBIDDEN;
            case RTS, SQD -> to == QueuePairState.RTS || to == QueuePairState.SQD ? 0 : FORBIDDEN;
            case SQE -> hasFailingSends && to == QueuePairState.RTS ? 0 : FORBIDDEN;
            case ERR -> FORBIDDEN;
        };
    }

    /**
     * The attributes that a transition allows in addition to the required ones.
     *
     * @param from current state.
     * @param to   next state.
     * @return a mask.
     */
    int optional(final QueuePairState from, final QueuePairState to)
    {
        if (to == QueuePairState.RESET || to == QueuePairState.ERR)
        {
            return 0;
        }
        return switch (from)
        {
            case RESET, ERR -> 0;
            case INIT -> to == QueuePairState.INIT ? init : rtrOptional;
            case RTR, SQE -> running;
            case RTS -> to == QueuePairState.SQD ? EN_SQD_ASYNC_NOTIFY : running;
            case SQD -> to == QueuePairState.SQD ? drained : running;
        };
    }
}
