/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.RdmaException;

import java.util.function.IntUnaryOperator;

import static org.tutti.rdma.QueuePairAttributeMask.ACCESS_FLAGS;
import static org.tutti.rdma.QueuePairAttributeMask.ALT_PATH;
import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_DEST_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_QP_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MIN_RNR_TIMER;
import static org.tutti.rdma.QueuePairAttributeMask.PATH_MTU;
import static org.tutti.rdma.QueuePairAttributeMask.PKEY_INDEX;
import static org.tutti.rdma.QueuePairAttributeMask.PORT;
import static org.tutti.rdma.QueuePairAttributeMask.RETRY_CNT;
import static org.tutti.rdma.QueuePairAttributeMask.RNR_RETRY;
import static org.tutti.rdma.QueuePairAttributeMask.RQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.SQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.TIMEOUT;

/** Checks the values of a queue pair's attributes, independent of its state. Stateless. */
public final class AttributeRules
{
    private static final String VERB = "ibv_modify_qp";
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_RETRIES = 7;
    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;

    /**
     * Upper limits of attributes.
     *
     * @param ports     number of ports of the device.
     * @param gids      length of the GID table by port number.
     * @param pkeys     length of a port's P_Key table.
     * @param initiated maximum outstanding reads and atomics of a queue pair as requester.
     * @param answered  maximum outstanding reads and atomics as responder.
     */
    public record Limits(int ports, IntUnaryOperator gids, int pkeys, int initiated, int answered)
    {
    }

    private AttributeRules()
    {
    }

    /**
     * Rejects values that are invalid in every state.
     *
     * @param attributes attributes with the new values.
     * @param mask       mask of the fields to use.
     * @param limits     limits of the device.
     * @throws RdmaException with EINVAL; the message names the value and its range.
     */
    public static void check(final QueuePairAttributes attributes, final int mask, final Limits limits)
    {
        checkRange(mask, PORT, "port_num", attributes.portNum, 1, limits.ports());
        checkRange(mask, PKEY_INDEX, "pkey_index", attributes.pkeyIndex, 0, limits.pkeys() - 1);
        checkRange(mask, TIMEOUT, "timeout", attributes.timeout, 0, MAX_TIMEOUT);
        checkRange(mask, RETRY_CNT, "retry_cnt", attributes.retryCount, 0, MAX_RETRIES);
        checkRange(mask, RNR_RETRY, "rnr_retry", attributes.rnrRetry, 0, MAX_RETRIES);
        checkRange(mask, MIN_RNR_TIMER, "min_rnr_timer", attributes.minRnrTimer, 0, MAX_TIMEOUT);
        checkRange(mask, RQ_PSN, "rq_psn", attributes.rqPsn, 0, PSN_MASK);
        checkRange(mask, SQ_PSN, "sq_psn", attributes.sqPsn, 0, PSN_MASK);
        checkRange(mask, DEST_QPN, "dest_qp_num", attributes.destQpNum, 0, PSN_MASK);
        checkRange(mask, MAX_QP_RD_ATOMIC, "max_rd_atomic", attributes.maxRdAtomic, 0, limits.initiated());
        checkRange(mask, MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", attributes.maxDestRdAtomic, 0, limits.answered());
        if ((mask & ACCESS_FLAGS) != 0 && (attributes.accessFlags & ~AccessFlags.ALL) != 0)
        {
            throw invalid("qp_access_flags 0x" + Integer.toHexString(attributes.accessFlags) +
                " has bits that are not remote access rights");
        }
        if ((mask & PATH_MTU) != 0 && (Integer.bitCount(attributes.pathMtu) != 1 ||
            attributes.pathMtu < MIN_MTU || attributes.pathMtu > MAX_MTU))
        {
            throw invalid("path_mtu " + attributes.pathMtu + " is not one of 256, 512, 1024, 2048, 4096");
        }
        if ((mask & AV) != 0)
        {
            PathRules.check(VERB, "ah_attr", attributes.path, limits.ports(), limits.gids());
        }
        if ((mask & ALT_PATH) != 0)
        {
            PathRules.check(VERB, "alt_ah_attr", attributes.alternatePath, limits.ports(), limits.gids());
            checkRange(mask, ALT_PATH, "alt_port_num", attributes.alternatePortNum, 1, limits.ports());
            checkRange(mask, ALT_PATH, "alt_pkey_index", attributes.alternatePkeyIndex, 0, limits.pkeys() - 1);
            checkRange(mask, ALT_PATH, "alt_timeout", attributes.alternateTimeout, 0, MAX_TIMEOUT);
        }
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
}
