/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;

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
import static org.tutti.rdma.QueuePairAttributeMask.RC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTS;
import static org.tutti.rdma.QueuePairAttributeMask.RETRY_CNT;
import static org.tutti.rdma.QueuePairAttributeMask.RNR_RETRY;
import static org.tutti.rdma.QueuePairAttributeMask.RQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.SQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;
import static org.tutti.rdma.QueuePairAttributeMask.TIMEOUT;
import static org.tutti.rdma.QueuePairAttributeMask.UC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.UC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.UC_RTS;
import static org.tutti.rdma.QueuePairAttributeMask.UD_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.UD_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.UD_RTS;

/**
 * What can be wrong with a change of a queue pair. Which attributes a transition takes is the kernel's to check; values
 * that do not fit their fields would be cut off before it sees them, and some drivers do not look at all. Stateless.
 */
final class ModifyChecks
{
    private static final String VERB = "ibv_modify_qp";
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final int MAX_MTU = 4096;

    private ModifyChecks()
    {
    }

    static void check(final VerbsContext context, final QueuePairAttributes attributes, final int mask)
    {
        final DeviceAttributes limits = context.limits();
        range(mask, PORT, "port_num", attributes.portNum, 1, limits.physicalPorts);
        range(mask, PKEY_INDEX, "pkey_index", attributes.pkeyIndex, 0, limits.maxPkeys - 1);
        range(mask, TIMEOUT, "timeout", attributes.timeout, 0, 31);
        range(mask, RETRY_CNT, "retry_cnt", attributes.retryCount, 0, 7);
        range(mask, RNR_RETRY, "rnr_retry", attributes.rnrRetry, 0, 7);
        range(mask, MIN_RNR_TIMER, "min_rnr_timer", attributes.minRnrTimer, 0, 31);
        range(mask, RQ_PSN, "rq_psn", attributes.rqPsn, 0, PSN_MASK);
        range(mask, SQ_PSN, "sq_psn", attributes.sqPsn, 0, PSN_MASK);
        range(mask, DEST_QPN, "dest_qp_num", attributes.destQpNum, 0, PSN_MASK);
        range(mask, MAX_QP_RD_ATOMIC, "max_rd_atomic", attributes.maxRdAtomic, 0, limits.maxInitRdAtomic);
        range(mask, MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", attributes.maxDestRdAtomic, 0, limits.maxRdAtomic);
        if ((mask & ACCESS_FLAGS) != 0 && (attributes.accessFlags & ~AccessFlags.ALL) != 0)
        {
            throw Failures.invalid(VERB, "qp_access_flags 0x" + Integer.toHexString(attributes.accessFlags) +
                " has bits that are not rights of a peer");
        }
        if ((mask & PATH_MTU) != 0 && Layout.mtu(attributes.pathMtu) == 0)
        {
            throw Failures.invalid(VERB, "path_mtu " + attributes.pathMtu + " is not one of 256, 512, 1024, 2048, " +
                MAX_MTU);
        }
        if ((mask & AV) != 0)
        {
            Paths.check(VERB, "ah_attr", context, attributes.path);
        }
        if ((mask & ALT_PATH) != 0)
        {
            Paths.check(VERB, "alt_ah_attr", context, attributes.alternatePath);
        }
    }

    private static void range(
        final int mask, final int bit, final String name, final int value, final int min, final int max)
    {
        if ((mask & bit) != 0)
        {
            Failures.checkRange(VERB, name, value, min, max);
        }
    }

    /**
     * Says what may be wrong with a change that the kernel refused.
     *
     * @param errno      that it gave.
     * @param queuePair  to be changed.
     * @param attributes with the new values.
     * @param mask       of those that are meant.
     * @return to be thrown.
     */
    static RdmaException failure(
        final int errno, final VerbsQueuePair queuePair, final QueuePairAttributes attributes, final int mask)
    {
        final QueuePairState from = queuePair.state();
        final QueuePairState to = (mask & STATE) != 0 ? attributes.state : from;
        final String what = "queue pair " + queuePair.qpNum() + " (" + queuePair.type() + "), " + from + " to " + to;
        final int missing = required(queuePair.type(), from, to) & ~mask;
        if (missing != 0)
        {
            return Failures.of(errno, VERB, what + " also requires " + names(missing));
        }
        final VerbsContext context = queuePair.context();
        final AddressHandleAttributes path = attributes.path;
        if ((mask & PATH_MTU) != 0)
        {
            final PortAttributes port = context.queryPort(path.portNum());
            if (attributes.pathMtu > port.activeMtu)
            {
                return Failures.of(errno, VERB, what + ": path_mtu " + attributes.pathMtu + " is more than the port " +
                    "has in effect, " + port.activeMtu + "; take the lesser of both sides, or raise the network's MTU");
            }
        }
        if ((mask & AV) != 0)
        {
            return Failures.of(errno, VERB, what + ": " + Paths.describe(context, path));
        }
        return Failures.of(errno, VERB, what + " with" + (mask == STATE ? " no attribute" : " ") +
            names(mask & ~STATE) + ": the transition does not exist, or one of these is not allowed in it");
    }

    private static int required(final QueuePairType type, final QueuePairState from, final QueuePairState to)
    {
        if (from == QueuePairState.RESET && to == QueuePairState.INIT)
        {
            return choose(type, RC_INIT, UC_INIT, UD_INIT);
        }
        if (from == QueuePairState.INIT && to == QueuePairState.RTR)
        {
            return choose(type, RC_RTR, UC_RTR, UD_RTR);
        }
        if (from == QueuePairState.RTR && to == QueuePairState.RTS)
        {
            return choose(type, RC_RTS, UC_RTS, UD_RTS);
        }
        return 0;
    }

    private static int choose(final QueuePairType type, final int rc, final int uc, final int ud)
    {
        return switch (type)
        {
            case RC -> rc;
            case UC -> uc;
            case UD -> ud;
        };
    }

    private static String names(final int mask)
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
