/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;

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
import static org.tutti.rdma.QueuePairAttributeMask.STATE;
import static org.tutti.rdma.QueuePairAttributeMask.TIMEOUT;

/**
 * Which changes of a queue pair's attributes are allowed: InfiniBand Architecture Specification, volume 1, table 91
 * (modify QP state), as Linux reads it. Stateless.
 */
public final class ModifyRules
{
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final String VERB = "ibv_modify_qp";

    /**
     * What attributes may be at most.
     *
     * @param ports    of the device.
     * @param gids     in a port's table.
     * @param pkeys    in a port's table.
     * @param rdAtomic reads and atomics at once, in either direction.
     */
    public record Limits(int ports, int gids, int pkeys, int rdAtomic)
    {
    }

    private ModifyRules()
    {
    }

    /**
     * Checks a change.
     *
     * @param type       of the queue pair.
     * @param actual     state that the queue pair is in.
     * @param attributes with the new values.
     * @param mask       of those that are meant.
     * @param limits     of the device.
     * @return the state to go to.
     * @throws RdmaException with EINVAL if it is not allowed; the message names what is missing, forbidden or wrong.
     */
    public static QueuePairState check(final QueuePairType type, final QueuePairState actual,
        final QueuePairAttributes attributes, final int mask, final Limits limits)
    {
        if ((mask & CUR_STATE) != 0 && attributes.currentState != actual)
        {
            throw invalid("cur_qp_state is " + attributes.currentState + " but the queue pair is in " + actual);
        }
        final QueuePairState next = (mask & STATE) != 0 ? attributes.state : actual;
        final Transitions transitions = Transitions.of(type);
        final int required = transitions.required(actual, next);
        if (required == Transitions.FORBIDDEN)
        {
            throw invalid("no transition from " + actual + " to " + next + " for " + type);
        }
        final int missing = required & ~mask;
        if (missing != 0)
        {
            throw invalid(actual + " to " + next + " also requires" + names(missing));
        }
        final int forbidden = mask & ~(STATE | required | transitions.optional(actual, next));
        if (forbidden != 0)
        {
            throw invalid(actual + " to " + next + " does not allow" + names(forbidden));
        }
        checkValues(attributes, mask, limits);
        return next;
    }

    private static void checkValues(final QueuePairAttributes attributes, final int mask, final Limits limits)
    {
        checkRange(mask, PORT, "port_num", attributes.portNum, 1, limits.ports());
        checkRange(mask, PKEY_INDEX, "pkey_index", attributes.pkeyIndex, 0, limits.pkeys() - 1);
        checkRange(mask, ACCESS_FLAGS, "qp_access_flags", attributes.accessFlags, 0, 0xF);
        checkRange(mask, TIMEOUT, "timeout", attributes.timeout, 0, 31);
        checkRange(mask, RETRY_CNT, "retry_cnt", attributes.retryCount, 0, 7);
        checkRange(mask, RNR_RETRY, "rnr_retry", attributes.rnrRetry, 0, 7);
        checkRange(mask, MIN_RNR_TIMER, "min_rnr_timer", attributes.minRnrTimer, 0, 31);
        checkRange(mask, RQ_PSN, "rq_psn", attributes.rqPsn, 0, PSN_MASK);
        checkRange(mask, SQ_PSN, "sq_psn", attributes.sqPsn, 0, PSN_MASK);
        checkRange(mask, DEST_QPN, "dest_qp_num", attributes.destQpNum, 0, PSN_MASK);
        checkRange(mask, MAX_QP_RD_ATOMIC, "max_rd_atomic", attributes.maxRdAtomic, 0, limits.rdAtomic());
        checkRange(mask, MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", attributes.maxDestRdAtomic, 0, limits.rdAtomic());
        if ((mask & AV) != 0)
        {
            checkPath(attributes.path, limits);
        }
        if ((mask & PATH_MTU) != 0)
        {
            checkRange(mask, PATH_MTU, "path_mtu", attributes.pathMtu, 256, 4096);
            if (Integer.bitCount(attributes.pathMtu) != 1)
            {
                throw invalid("path_mtu " + attributes.pathMtu + " is not one of 256, 512, 1024, 2048, 4096");
            }
        }
    }

    private static void checkPath(final AddressHandleAttributes path, final Limits limits)
    {
        if (path == null || (path.global() && path.dgid() == null))
        {
            throw invalid("ah_attr has no " + (path == null ? "value" : "dgid"));
        }
        checkRange(AV, AV, "ah_attr.port_num", path.portNum(), 1, limits.ports());
        checkRange(path.global() ? AV : 0, AV, "ah_attr.grh.sgid_index", path.sgidIndex(),
            0, limits.gids() - 1);
    }

    private static void checkRange(
        final int mask, final int bit, final String name, final int value, final int min, final int max)
    {
        if ((mask & bit) != 0 && (value < min || value > max))
        {
            throw invalid(name + " " + value + " is not from " + min + " to " + max);
        }
    }

    private static RdmaException invalid(final String detail)
    {
        return new RdmaException(Errno.EINVAL, VERB, detail);
    }

    private static String names(final int mask)
    {
        final StringBuilder text = new StringBuilder();
        for (int rest = mask; rest != 0; rest &= rest - 1)
        {
            text.append(text.isEmpty() ? " " : ", ").append(name(rest & -rest));
        }
        return text.toString();
    }

    private static String name(final int bit)
    {
        return switch (bit)
        {
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
            case MIN_RNR_TIMER -> "MIN_RNR_TIMER";
            case SQ_PSN -> "SQ_PSN";
            case MAX_DEST_RD_ATOMIC -> "MAX_DEST_RD_ATOMIC";
            case DEST_QPN -> "DEST_QPN";
            default -> "bit 0x" + Integer.toHexString(bit);
        };
    }
}
