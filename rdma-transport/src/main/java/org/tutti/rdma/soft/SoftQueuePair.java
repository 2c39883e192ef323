/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.queue.ReceiveQueue;
import org.tutti.rdma.soft.queue.ReceiveSide;
import org.tutti.rdma.soft.queue.ReceiveSource;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.queue.SharedReceiveSource;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.QueueLimits;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.spi.AttributeRules;
import org.tutti.rdma.spi.ModifyRules;
import org.tutti.rdma.spi.Parents;

import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;

/**
 * A queue pair of any type; the differences between types are in its {@link Transport}. The posting lock covers the
 * send side and the transport, the receive lock the receive side, the guard of {@link LocalQueuePair} the state that
 * incoming requests use; they are acquired in this order.
 */
public final class SoftQueuePair implements QueuePair
{
    private static final AttributeRules.Limits LIMITS =
        new AttributeRules.Limits(1, (port) -> 1, 1, QueueLimits.MAX_RD_ATOMIC, QueueLimits.MAX_RD_ATOMIC);

    private final SoftContext context;
    private final Parents parents;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    private final QueuePairType type;
    private final LocalQueuePair local;
    private final int qpNum;
    private final long entry;
    private final SendQueue sendQueue;
    private final ReceiveSource receives;
    private final ReceiveSide receiveSide;
    private final Transport transport;
    private final QueuePairCapabilities capabilities;
    private volatile boolean isClosed;

    SoftQueuePair(final SoftProtectionDomain protectionDomain, final QueuePairInitAttributes init, final int index,
        final Parents parents)
    {
        this.parents = parents;
        context = protectionDomain.context();
        capabilities = init.capabilities();
        type = init.type();
        sendCq = (SoftCompletionQueue)init.sendQueue();
        receiveCq = (SoftCompletionQueue)init.receiveQueue();
        local = context.newQueuePair(index, protectionDomain.number());
        qpNum = local.qpNum();
        entry = local.entry();
        final SoftSharedReceiveQueue shared = (SoftSharedReceiveQueue)init.sharedReceiveQueue();
        receives = shared == null ?
            new ReceiveQueue(context.heap(), entry, init.maxReceiveRequests(), init.maxReceiveSge()) :
            new SharedReceiveSource(local, shared.slots());
        receiveSide = new ReceiveSide(local, receives);
        transport = context.newTransport(type, local, receives);
        sendQueue = context.newSendQueue(local, transport, init, sendCq.ring());
        UnsafeApi.putInt(entry + QueuePairEntry.STATE_OFFSET, QueuePairState.RESET.ordinal());
        UnsafeApi.putInt(entry + QueuePairEntry.ACCESS_OFFSET, 0);
        UnsafeApi.putInt(entry + QueuePairEntry.DOMAIN_OFFSET, protectionDomain.number());
        UnsafeApi.putInt(entry + QueuePairEntry.RECEIVE_DOMAIN_OFFSET,
            (shared == null ? protectionDomain : shared.protectionDomain()).number());
        UnsafeApi.putLong(entry + QueuePairEntry.RECEIVE_RING_OFFSET, receiveCq.ring() - context.control());
        UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.QP_NUM_OFFSET, qpNum);
    }

    /**
     * The send side.
     *
     * @return send queue, owned by the queue pair.
     */
    public SendQueue sendQueue()
    {
        return sendQueue;
    }

    ReceiveSource receives()
    {
        return receives;
    }

    @Override
    public int qpNum()
    {
        return qpNum;
    }

    @Override
    public QueuePairCapabilities capabilities()
    {
        return capabilities;
    }

    @Override
    public QueuePairState state()
    {
        checkOpen("ibv_query_qp");
        return local.state();
    }

    @Override
    public long badSendRequest()
    {
        return sendQueue.badRequest();
    }

    @Override
    public long badReceiveRequest()
    {
        return receiveSide.badRequest();
    }

    @Override
    public int postSend(final long sendRequestAddress)
    {
        return sendQueue.post(sendRequestAddress);
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
    {
        return receiveSide.post(receiveRequestAddress);
    }

    /**
     * As {@link ReceiveSide#flush}.
     *
     * @return delay until the next call, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
    long flushReceives()
    {
        return receiveSide.flush();
    }

    @Override
    public void modify(final QueuePairAttributes values, final int mask)
    {
        checkOpen("ibv_modify_qp");
        sendQueue.lock();
        try
        {
            final QueuePairState before = state();
            final QueuePairState next = ModifyRules.check(type, before, values, mask, LIMITS);
            transport.check(values, mask);
            if (next == QueuePairState.RESET)
            {
                reset();
                return;
            }
            if (next == QueuePairState.ERR)
            {
                local.enterError("ibv_modify_qp");
                sendQueue.flush();
                return;
            }
            apply(values, mask, before, next);
            transport.connect();
            if (next != before)
            {
                sendQueue.requestDrainedEvent(next == QueuePairState.SQD && values.sqdAsyncNotify &&
                    (mask & EN_SQD_ASYNC_NOTIFY) != 0);
            }
            sendQueue.retry();
        }
        finally
        {
            sendQueue.unlock();
        }
    }

    private void apply(
        final QueuePairAttributes values, final int mask, final QueuePairState before, final QueuePairState next)
    {
        local.acquireGuard("ibv_modify_qp");
        try
        {
            if (state() != before)
            {
                throw new RdmaException(Errno.EINVAL, "ibv_modify_qp",
                    "the queue pair changed from " + before + " to " + state() + " meanwhile");
            }
            local.attributes().set(values, mask);
            QueuePairEntry.set(entry, values, mask);
            transport.changed(values, next);
            if (next == QueuePairState.RTR)
            {
                context.startProgress();
            }
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, next.ordinal());
        }
        finally
        {
            local.releaseGuard();
        }
    }

    @Override
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        if (isClosed)
        {
            return 0;
        }
        sendQueue.lock();
        try
        {
            return transport.loadStoreAddress(remoteAddress, length, rkey, access);
        }
        finally
        {
            sendQueue.unlock();
        }
    }

    @Override
    public void query(final QueuePairAttributes values)
    {
        checkOpen("ibv_query_qp");
        sendQueue.lock();
        try
        {
            local.attributes().copyTo(values);
            values.state = state();
            values.currentState = values.state;
            values.sqDraining = values.state == QueuePairState.SQD && sendQueue.isDraining();
            values.capabilities = capabilities;
        }
        finally
        {
            sendQueue.unlock();
        }
    }

    /**
     * Waits until all threads that were executing on this queue pair when the call began have finished, and ends what
     * its transport still does with a region that was deregistered.
     *
     * @param key key of the region.
     */
    void pass(final int key)
    {
        sendQueue.lock();
        try
        {
            transport.deregistered(key);
        }
        finally
        {
            sendQueue.unlock();
        }
        local.acquireGuard("ibv_dereg_mr");
        local.releaseGuard();
    }

    @Override
    public void attachMulticast(final Gid group, final int lid)
    {
        checkOpen("ibv_attach_mcast");
        sendQueue.lock();
        try
        {
            transport.attachMulticast(group, lid);
        }
        finally
        {
            sendQueue.unlock();
        }
    }

    @Override
    public void detachMulticast(final Gid group, final int lid)
    {
        checkOpen("ibv_detach_mcast");
        sendQueue.lock();
        try
        {
            transport.detachMulticast(group, lid);
        }
        finally
        {
            sendQueue.unlock();
        }
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        sendQueue.lock();
        try
        {
            if (transport.groups() > 0)
            {
                throw new RdmaException(Errno.EBUSY, "ibv_destroy_qp", "queue pair " + qpNum + " is in " +
                    transport.groups() + " multicast groups; detach it first");
            }
            reset();
            isClosed = true;
            receiveSide.close();
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.QP_NUM_OFFSET, 0);
            sendQueue.close();
        }
        finally
        {
            sendQueue.unlock();
        }
        context.remove(this);
        receives.close();
        parents.release();
    }

    private void reset()
    {
        receiveSide.lock();
        try
        {
            local.acquireGuard("ibv_modify_qp");
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, QueuePairState.RESET.ordinal());
            receives.reset();
            local.releaseGuard();
            // Purges first: polling an old completion after freeAll would set the counters back to old values.
            sendCq.purge(qpNum, receives);
            receiveCq.purge(qpNum, receives);
            receives.freeAll();
        }
        finally
        {
            receiveSide.unlock();
        }
        local.reset();
        sendQueue.reset();
        transport.disconnect();
    }

    boolean uses(final SoftCompletionQueue cq)
    {
        return sendCq == cq || receiveCq == cq;
    }

    boolean takesFrom(final SoftSharedReceiveQueue queue)
    {
        return receives instanceof SharedReceiveSource shared && shared.isOf(queue.slots());
    }

    void lockPosting()
    {
        sendQueue.lock();
    }

    void unlockPosting()
    {
        sendQueue.unlock();
    }

    /**
     * The state of the queue pair.
     *
     * @return state, owned by the queue pair.
     */
    public LocalQueuePair local()
    {
        return local;
    }

    private void checkOpen(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "queue pair " + qpNum + " is closed");
        }
    }
}
