/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.PathMigrationState;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;

/** Converts {@code struct ibv_qp_attr}, {@code ibv_qp_init_attr} and {@code ibv_qp_cap}. Stateless. */
@SuppressWarnings("EnumOrdinal")
final class QueuePairStructs
{
    private QueuePairStructs()
    {
    }

    static void putInit(
        final long to, final QueuePairInitAttributes from, final long sendQueue, final long receiveQueue,
        final long sharedReceiveQueue)
    {
        UnsafeApi.putLong(to + Layout.QP_INIT_ATTR_SEND_CQ, sendQueue);
        UnsafeApi.putLong(to + Layout.QP_INIT_ATTR_RECV_CQ, receiveQueue);
        UnsafeApi.putLong(to + Layout.QP_INIT_ATTR_SRQ, sharedReceiveQueue);
        putCapabilities(to + Layout.QP_INIT_ATTR_CAP, from.capabilities());
        UnsafeApi.putInt(to + Layout.QP_INIT_ATTR_QP_TYPE, from.type().value());
        UnsafeApi.putInt(to + Layout.QP_INIT_ATTR_SQ_SIG_ALL, from.signalAll() ? 1 : 0);
    }

    static void putCapabilities(final long to, final QueuePairCapabilities from)
    {
        UnsafeApi.putInt(to + Layout.QP_CAP_MAX_SEND_WR, from.maxSendRequests());
        UnsafeApi.putInt(to + Layout.QP_CAP_MAX_RECV_WR, from.maxReceiveRequests());
        UnsafeApi.putInt(to + Layout.QP_CAP_MAX_SEND_SGE, from.maxSendSge());
        UnsafeApi.putInt(to + Layout.QP_CAP_MAX_RECV_SGE, from.maxReceiveSge());
        UnsafeApi.putInt(to + Layout.QP_CAP_MAX_INLINE_DATA, from.maxInlineData());
    }

    static QueuePairCapabilities capabilities(final long from)
    {
        return new QueuePairCapabilities(
            UnsafeApi.getInt(from + Layout.QP_CAP_MAX_SEND_WR),
            UnsafeApi.getInt(from + Layout.QP_CAP_MAX_RECV_WR),
            UnsafeApi.getInt(from + Layout.QP_CAP_MAX_SEND_SGE),
            UnsafeApi.getInt(from + Layout.QP_CAP_MAX_RECV_SGE),
            UnsafeApi.getInt(from + Layout.QP_CAP_MAX_INLINE_DATA));
    }

    static void put(final long to, final QueuePairAttributes from)
    {
        UnsafeApi.putInt(to + Layout.QP_ATTR_QP_STATE, from.state.ordinal());
        UnsafeApi.putInt(to + Layout.QP_ATTR_CUR_QP_STATE, from.currentState.ordinal());
        UnsafeApi.putInt(to + Layout.QP_ATTR_PATH_MTU, Layout.mtu(from.pathMtu));
        UnsafeApi.putInt(to + Layout.QP_ATTR_PATH_MIG_STATE, from.pathMigrationState.ordinal());
        UnsafeApi.putInt(to + Layout.QP_ATTR_QKEY, from.qkey);
        UnsafeApi.putInt(to + Layout.QP_ATTR_RQ_PSN, from.rqPsn);
        UnsafeApi.putInt(to + Layout.QP_ATTR_SQ_PSN, from.sqPsn);
        UnsafeApi.putInt(to + Layout.QP_ATTR_DEST_QP_NUM, from.destQpNum);
        UnsafeApi.putInt(to + Layout.QP_ATTR_QP_ACCESS_FLAGS, from.accessFlags);
        putCapabilities(to + Layout.QP_ATTR_CAP, from.capabilities);
        if (from.path != null)
        {
            Structs.putPath(to + Layout.QP_ATTR_AH_ATTR, from.path);
        }
        if (from.alternatePath != null)
        {
            Structs.putPath(to + Layout.QP_ATTR_ALT_AH_ATTR, from.alternatePath);
        }
        UnsafeApi.putShort(to + Layout.QP_ATTR_PKEY_INDEX, (short)from.pkeyIndex);
        UnsafeApi.putShort(to + Layout.QP_ATTR_ALT_PKEY_INDEX, (short)from.alternatePkeyIndex);
        UnsafeApi.putByte(to + Layout.QP_ATTR_EN_SQD_ASYNC_NOTIFY, (byte)(from.sqdAsyncNotify ? 1 : 0));
        UnsafeApi.putByte(to + Layout.QP_ATTR_MAX_RD_ATOMIC, (byte)from.maxRdAtomic);
        UnsafeApi.putByte(to + Layout.QP_ATTR_MAX_DEST_RD_ATOMIC, (byte)from.maxDestRdAtomic);
        UnsafeApi.putByte(to + Layout.QP_ATTR_MIN_RNR_TIMER, (byte)from.minRnrTimer);
        UnsafeApi.putByte(to + Layout.QP_ATTR_PORT_NUM, (byte)from.portNum);
        UnsafeApi.putByte(to + Layout.QP_ATTR_TIMEOUT, (byte)from.timeout);
        UnsafeApi.putByte(to + Layout.QP_ATTR_RETRY_CNT, (byte)from.retryCount);
        UnsafeApi.putByte(to + Layout.QP_ATTR_RNR_RETRY, (byte)from.rnrRetry);
        UnsafeApi.putByte(to + Layout.QP_ATTR_ALT_PORT_NUM, (byte)from.alternatePortNum);
        UnsafeApi.putByte(to + Layout.QP_ATTR_ALT_TIMEOUT, (byte)from.alternateTimeout);
        UnsafeApi.putInt(to + Layout.QP_ATTR_RATE_LIMIT, from.rateLimit);
    }

    static QueuePairState state(final long from)
    {
        return Structs.constant(QueuePairState.values(), UnsafeApi.getInt(from + Layout.QP_ATTR_QP_STATE),
            QueuePairState.ERR);
    }

    static void get(final long from, final QueuePairAttributes to)
    {
        to.state = state(from);
        to.currentState = Structs.constant(QueuePairState.values(),
            UnsafeApi.getInt(from + Layout.QP_ATTR_CUR_QP_STATE), to.state);
        to.pathMtu = Layout.mtuBytes(UnsafeApi.getInt(from + Layout.QP_ATTR_PATH_MTU));
        to.pathMigrationState = Structs.constant(PathMigrationState.values(),
            UnsafeApi.getInt(from + Layout.QP_ATTR_PATH_MIG_STATE), PathMigrationState.MIGRATED);
        to.qkey = UnsafeApi.getInt(from + Layout.QP_ATTR_QKEY);
        to.rqPsn = UnsafeApi.getInt(from + Layout.QP_ATTR_RQ_PSN);
        to.sqPsn = UnsafeApi.getInt(from + Layout.QP_ATTR_SQ_PSN);
        to.destQpNum = UnsafeApi.getInt(from + Layout.QP_ATTR_DEST_QP_NUM);
        to.accessFlags = UnsafeApi.getInt(from + Layout.QP_ATTR_QP_ACCESS_FLAGS);
        to.capabilities = capabilities(from + Layout.QP_ATTR_CAP);
        to.path = Structs.path(from + Layout.QP_ATTR_AH_ATTR);
        to.alternatePath = Structs.path(from + Layout.QP_ATTR_ALT_AH_ATTR);
        to.pkeyIndex = Structs.getShort(from + Layout.QP_ATTR_PKEY_INDEX);
        to.alternatePkeyIndex = Structs.getShort(from + Layout.QP_ATTR_ALT_PKEY_INDEX);
        to.sqdAsyncNotify = Structs.getByte(from + Layout.QP_ATTR_EN_SQD_ASYNC_NOTIFY) != 0;
        to.sqDraining = Structs.getByte(from + Layout.QP_ATTR_SQ_DRAINING) != 0;
        to.maxRdAtomic = Structs.getByte(from + Layout.QP_ATTR_MAX_RD_ATOMIC);
        to.maxDestRdAtomic = Structs.getByte(from + Layout.QP_ATTR_MAX_DEST_RD_ATOMIC);
        to.minRnrTimer = Structs.getByte(from + Layout.QP_ATTR_MIN_RNR_TIMER);
        to.portNum = Structs.getByte(from + Layout.QP_ATTR_PORT_NUM);
        to.timeout = Structs.getByte(from + Layout.QP_ATTR_TIMEOUT);
        to.retryCount = Structs.getByte(from + Layout.QP_ATTR_RETRY_CNT);
        to.rnrRetry = Structs.getByte(from + Layout.QP_ATTR_RNR_RETRY);
        to.alternatePortNum = Structs.getByte(from + Layout.QP_ATTR_ALT_PORT_NUM);
        to.alternateTimeout = Structs.getByte(from + Layout.QP_ATTR_ALT_TIMEOUT);
        to.rateLimit = UnsafeApi.getInt(from + Layout.QP_ATTR_RATE_LIMIT);
    }
}
