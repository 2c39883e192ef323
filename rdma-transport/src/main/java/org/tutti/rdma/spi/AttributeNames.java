/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import java.util.ArrayList;
import java.util.List;

import static org.tutti.rdma.QueuePairAttributeMask.ACCESS_FLAGS;
import static org.tutti.rdma.QueuePairAttributeMask.ALT_PATH;
import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.CAP;
import static org.tutti.rdma.QueuePairAttributeMask.CUR_STATE;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;
import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_DEST_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_QP_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MIN_RNR_TIMER;
import static org.tutti.rdma.QueuePairAttributeMask.PATH_MIG_STATE;
import static org.tutti.rdma.QueuePairAttributeMask.PATH_MTU;
import static org.tutti.rdma.QueuePairAttributeMask.PKEY_INDEX;
import static org.tutti.rdma.QueuePairAttributeMask.PORT;
import static org.tutti.rdma.QueuePairAttributeMask.QKEY;
import static org.tutti.rdma.QueuePairAttributeMask.RATE_LIMIT;
import static org.tutti.rdma.QueuePairAttributeMask.RETRY_CNT;
import static org.tutti.rdma.QueuePairAttributeMask.RNR_RETRY;
import static org.tutti.rdma.QueuePairAttributeMask.RQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.SQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;
import static org.tutti.rdma.QueuePairAttributeMask.TIMEOUT;

/** Names of queue pair attributes, for messages. Stateless. */
public final class AttributeNames
{
    private AttributeNames()
    {
    }

    /**
     * Formats a mask of attributes.
     *
     * @param mask mask of the attributes.
     * @return names in the order of the bits, separated by commas.
     */
    public static String of(final int mask)
    {
        final List<String> names = new ArrayList<>();
        for (int rest = mask; rest != 0; rest &= rest - 1)
        {
            names.add(name(rest & -rest));
        }
        return String.join(", ", names);
    }

    private static String name(final int bit)
    {
        return switch (bit)
        {
            case STATE -> "STATE";
            case CUR_STATE -> "CUR_STATE";
            case EN_SQD_ASYNC_NOTIFY -> "EN_SQD_ASYNC_NOTIFY";
            case ACCESS_FLAGS -> "ACCESS_FLAGS";
            case PKEY_INDEX -> "PKEY_INDEX";
            case PORT -> "PORT";
            case QKEY -> "QKEY";
            case AV -> "AV";
            case PATH_MTU -> "PATH_MTU";
            case TIMEOUT -> "TIMEOUT";
            case RETRY_CNT -> "RETRY_CNT";
            case RNR_RETRY -> "RNR_RETRY";
            case RQ_PSN -> "RQ_PSN";
            case MAX_QP_RD_ATOMIC -> "MAX_QP_RD_ATOMIC";
            case ALT_PATH -> "ALT_PATH";
            case MIN_RNR_TIMER -> "MIN_RNR_TIMER";
            case SQ_PSN -> "SQ_PSN";
            case MAX_DEST_RD_ATOMIC -> "MAX_DEST_RD_ATOMIC";
            case PATH_MIG_STATE -> "PATH_MIG_STATE";
            case CAP -> "CAP";
            case DEST_QPN -> "DEST_QPN";
            case RATE_LIMIT -> "RATE_LIMIT";
            default -> "bit 0x" + Integer.toHexString(bit);
        };
    }
}
