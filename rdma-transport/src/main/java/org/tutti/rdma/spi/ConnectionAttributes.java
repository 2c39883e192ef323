/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;

/** A queue pair's copy of its attributes. Guarded by a lock of the queue pair. */
public final class ConnectionAttributes
{
    private QueuePairAttributes values = new QueuePairAttributes();

    public int rnrRetry()
    {
        return values.rnrRetry;
    }

    public int timeout()
    {
        return values.timeout;
    }

    public int retryCount()
    {
        return values.retryCount;
    }

    public int destQpNum()
    {
        return values.destQpNum;
    }

    public int sqPsn()
    {
        return values.sqPsn;
    }

    public int maxRdAtomic()
    {
        return values.maxRdAtomic;
    }

    /** Resets all values to their defaults. */
    public void reset()
    {
        values = new QueuePairAttributes();
    }

    /**
     * Copies values from a caller's structure.
     *
     * @param from the caller's structure.
     * @param mask mask of the fields to use.
     */
    public void set(final QueuePairAttributes from, final int mask)
    {
        copy(from, values, mask);
    }

    /**
     * Copies all values to a caller's structure.
     *
     * @param to the caller's structure.
     */
    public void copyTo(final QueuePairAttributes to)
    {
        copy(values, to, -1);
    }

    private static void copy(final QueuePairAttributes from, final QueuePairAttributes to, final int mask)
    {
        copyPath(from, to, mask);
        if ((mask & QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY) != 0)
        {
            to.sqdAsyncNotify = from.sqdAsyncNotify;
        }
        if ((mask & QueuePairAttributeMask.QKEY) != 0)
        {
            to.qkey = from.qkey;
        }
        if ((mask & QueuePairAttributeMask.ACCESS_FLAGS) != 0)
        {
            to.accessFlags = from.accessFlags;
        }
        if ((mask & QueuePairAttributeMask.TIMEOUT) != 0)
        {
            to.timeout = from.timeout;
        }
        if ((mask & QueuePairAttributeMask.RETRY_CNT) != 0)
        {
            to.retryCount = from.retryCount;
        }
        if ((mask & QueuePairAttributeMask.RNR_RETRY) != 0)
        {
            to.rnrRetry = from.rnrRetry;
        }
        if ((mask & QueuePairAttributeMask.RQ_PSN) != 0)
        {
            to.rqPsn = from.rqPsn;
        }
        if ((mask & QueuePairAttributeMask.SQ_PSN) != 0)
        {
            to.sqPsn = from.sqPsn;
        }
        if ((mask & QueuePairAttributeMask.MAX_QP_RD_ATOMIC) != 0)
        {
            to.maxRdAtomic = from.maxRdAtomic;
        }
        if ((mask & QueuePairAttributeMask.MAX_DEST_RD_ATOMIC) != 0)
        {
            to.maxDestRdAtomic = from.maxDestRdAtomic;
        }
        if ((mask & QueuePairAttributeMask.MIN_RNR_TIMER) != 0)
        {
            to.minRnrTimer = from.minRnrTimer;
        }
    }

    private static void copyPath(final QueuePairAttributes from, final QueuePairAttributes to, final int mask)
    {
        if ((mask & QueuePairAttributeMask.PKEY_INDEX) != 0)
        {
            to.pkeyIndex = from.pkeyIndex;
        }
        if ((mask & QueuePairAttributeMask.PORT) != 0)
        {
            to.portNum = from.portNum;
        }
        if ((mask & QueuePairAttributeMask.AV) != 0)
        {
            to.path = from.path;
        }
        if ((mask & QueuePairAttributeMask.PATH_MTU) != 0)
        {
            to.pathMtu = from.pathMtu;
        }
        if ((mask & QueuePairAttributeMask.DEST_QPN) != 0)
        {
            to.destQpNum = from.destQpNum;
        }
    }
}
