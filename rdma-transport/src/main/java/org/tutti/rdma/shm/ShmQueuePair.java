/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.spi.AttributeRules;
import org.tutti.rdma.spi.ConnectionAttributes;
import org.tutti.rdma.spi.ModifyRules;
import org.tutti.rdma.spi.Parents;

import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;

/**
 * A queue pair of any type; what differs between types is in its {@link Transport}. The posting lock covers the send
 * side and the transport, the receive lock the receive side, the {@link Guard} what peers see; they are taken in this
 * order.
 */
final class ShmQueuePair implements QueuePair
{
    private static final QueuePairState[] STATES = QueuePairState.values();
    private static final int SQE = QueuePairState.SQE.ordinal();
    private static final int ERR = QueuePairState.ERR.ordinal();
    private static final AttributeRules.Limits LIMITS =
        new AttributeRules.Limits(1, (port) -> 1, 1, ShmContext.MAX_RD_ATOMIC, ShmContext.MAX_RD_ATOMIC);
    private static final long GUARD_DEADLINE_NS = 10_000_000_000L;
    /** How long posting and polling wait for a peer that executes; the progress thread does what they leave. */
    private static final long SHORT_DEADLINE_NS = 1_000_000L;
    /** How soon the progress thread asks again for the guard that a peer, which may be stopped, keeps. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final ShmProtectionDomain protectionDomain;
    private final ShmContext context;
    private final Parents parents;
    private final ShmCompletionQueue sendCq;
    private final ShmCompletionQueue receiveCq;
    private final QueuePairType type;
    private final int qpNum;
    private final long entry;
    private final SpinLock postLock = new SpinLock();
    private final SendQueue sendQueue;
    private final ReceiveSource receives;
    private final ReceiveSide receiveSide;
    private final Transport transport;
    private final QueuePairCapabilities capabilities;
    private final ConnectionAttributes attributes = new ConnectionAttributes();
    private long badSendRequest;
    private AsyncEventType failure;
    private volatile boolean isFailed;
    private volatile boolean isClosed;

    ShmQueuePair(final ShmProtectionDomain protectionDomain, final QueuePairInitAttributes init, final int index,
        final Parents parents)
    {
        this.parents = parents;
        this.protectionDomain = protectionDomain;
        context = protectionDomain.context();
        capabilities = init.capabilities();
        type = init.type();
        sendCq = (ShmCompletionQueue)init.sendQueue();
        receiveCq = (ShmCompletionQueue)init.receiveQueue();
        qpNum = ControlLayout.qpNum(context.index(), index);
        entry = ControlLayout.queuePair(context.control(), index);
        final ShmSharedReceiveQueue shared = (ShmSharedReceiveQueue)init.sharedReceiveQueue();
        receives = shared == null ?
            new ReceiveQueue(context, entry, init.maxReceiveRequests(), init.maxReceiveSge()) :
            new SharedReceiveSource(context, entry, shared);
        receiveSide = new ReceiveSide(context, entry, receives);
        transport = Transport.of(type, this);
        sendQueue = new SendQueue(this, transport, init, sendCq.ring());
        UnsafeApi.putInt(entry + QueuePairEntry.STATE_OFFSET, QueuePairState.RESET.ordinal());
        UnsafeApi.putInt(entry + QueuePairEntry.ACCESS_OFFSET, 0);
        UnsafeApi.putInt(entry + QueuePairEntry.DOMAIN_OFFSET, protectionDomain.number());
        UnsafeApi.putInt(entry + QueuePairEntry.RECEIVE_DOMAIN_OFFSET,
            (shared == null ? protectionDomain : shared.protectionDomain()).number());
        UnsafeApi.putLong(entry + QueuePairEntry.RECEIVE_RING_OFFSET, receiveCq.ring() - context.control());
        UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.QP_NUM_OFFSET, qpNum);
    }

    ShmContext context()
    {
        return context;
    }

    int domain()
    {
        return protectionDomain.number();
    }

    long entry()
    {
        return entry;
    }

    SendQueue sendQueue()
    {
        return sendQueue;
    }

    ReceiveSource receives()
    {
        return receives;
    }

    ConnectionAttributes attributes()
    {
        return attributes;
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
        return isFailed ? QueuePairState.ERR : STATES[(int)SegmentBounds.count(
            QueuePairEntry.state(entry), STATES.length - 1, "the state of a queue pair")];
    }

    /** Until it is reset, nothing is executed any more, also while the error state has yet to be entered. */
    boolean isFailed()
    {
        return isFailed;
    }

    /** Whether it has failed and is still to enter the error state, because a peer executes on it. */
    boolean isFailing()
    {
        return isFailed && QueuePairEntry.state(entry) != ERR;
    }

    @Override
    public long badSendRequest()
    {
        return badSendRequest;
    }

    @Override
    public long badReceiveRequest()
    {
        return receiveSide.badRequest();
    }

    @Override
    public int postSend(final long sendRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        postLock.lock();
        try
        {
            long wr = sendRequestAddress;
            int errno = 0;
            while (wr != 0)
            {
                // Read first: an executed request's owner may reuse it.
                final long next = UnsafeApi.getLong(wr + SendWorkRequest.NEXT_OFFSET);
                errno = isClosed ? Errno.EINVAL : sendQueue.post(wr);
                if (errno != 0)
                {
                    break;
                }
                wr = next;
            }
            badSendRequest = wr;
            return errno;
        }
        finally
        {
            postLock.unlock();
        }
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
    {
        return isClosed ? Errno.EINVAL : receiveSide.post(receiveRequestAddress);
    }

    /**
     * As {@link ReceiveSide#flush}.
     *
     * @return in nanoseconds, when to call again; {@link Long#MAX_VALUE} when nothing is left.
     */
    long flushReceives()
    {
        return isClosed ? Long.MAX_VALUE : receiveSide.flush();
    }

    @Override
    public void modify(final QueuePairAttributes values, final int mask)
    {
        checkOpen("ibv_modify_qp");
        postLock.lock();
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
                acquireGuard("ibv_modify_qp");
                enterError();
                sendQueue.flush();
                return;
            }
            apply(values, mask, before, next);
            transport.connect();
            if (next != before)
            {
                sendQueue.tellWhenDrained(next == QueuePairState.SQD && values.sqdAsyncNotify &&
                    (mask & EN_SQD_ASYNC_NOTIFY) != 0);
            }
            sendQueue.progress();
        }
        finally
        {
            postLock.unlock();
        }
    }

    private void apply(
        final QueuePairAttributes values, final int mask, final QueuePairState before, final QueuePairState next)
    {
        acquireGuard("ibv_modify_qp");
        try
        {
            if (state() != before)
            {
                throw new RdmaException(Errno.EINVAL, "ibv_modify_qp",
                    "the queue pair went from " + before + " to " + state() + " meanwhile");
            }
            attributes.set(values, mask);
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
            Guard.release(context, entry);
        }
    }

    /** A send failed, after which the caller flushes the others; the posting lock is held. */
    void failSends()
    {
        if (transport.afterFailedSend() == QueuePairState.ERR)
        {
            fail(null);
            return;
        }
        // A peer may have taken it to ERR meanwhile, where it stays.
        final int before = QueuePairEntry.state(entry);
        if (before < SQE)
        {
            SharedAtomics.compareAndSetInt(entry + QueuePairEntry.STATE_OFFSET, before, SQE);
        }
    }

    /**
     * Goes to the error state and flushes the receives: now, or by the progress thread as soon as a peer that executes
     * lets go. The posting lock is held, the sends are the caller's to flush.
     *
     * @param event that says why, or null for none.
     */
    void fail(final AsyncEventType event)
    {
        failure = event;
        isFailed = true;
        tryEnterError();
    }

    private void tryEnterError()
    {
        if (Guard.acquire(context, context.control(), entry, SHORT_DEADLINE_NS))
        {
            enterError();
        }
    }

    private void enterError()
    {
        try
        {
            Responder.fail(context.control(), entry, context.token(), failure);
        }
        finally
        {
            Guard.release(context, entry);
        }
    }

    /**
     * Runs what is left to do on the send side, if no other thread is at it.
     *
     * @param event with which to go to the error state first, or null to stay.
     * @return in nanoseconds, when to call again.
     */
    long progress(final AsyncEventType event)
    {
        if (isClosed)
        {
            return Long.MAX_VALUE;
        }
        if (event != null)
        {
            postLock.lock();
        }
        else if (!postLock.tryLock())
        {
            return RetryTimer.MAX_PAUSE_NS;
        }
        try
        {
            if (isClosed)
            {
                return Long.MAX_VALUE;
            }
            if (event != null)
            {
                fail(event);
            }
            else if (isFailing())
            {
                tryEnterError();
            }
            final long pauseNs = sendQueue.progress();
            return isFailing() ? GUARD_PAUSE_NS : pauseNs;
        }
        catch (final RuntimeException | InternalError e)
        {
            // Told to the owner as what it is to it; the caller has other queue pairs to go on with.
            failure = AsyncEventType.QP_FATAL;
            isFailed = true;
            context.backlogChanged(this);
            return GUARD_PAUSE_NS;
        }
        finally
        {
            postLock.unlock();
        }
    }

    @Override
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        if (isClosed)
        {
            return 0;
        }
        postLock.lock();
        try
        {
            return transport.loadStoreAddress(remoteAddress, length, rkey, access);
        }
        finally
        {
            postLock.unlock();
        }
    }

    @Override
    public void query(final QueuePairAttributes values)
    {
        checkOpen("ibv_query_qp");
        postLock.lock();
        try
        {
            attributes.copyTo(values);
            values.state = state();
            values.currentState = values.state;
            values.sqDraining = values.state == QueuePairState.SQD && sendQueue.isDraining();
            values.capabilities = capabilities;
        }
        finally
        {
            postLock.unlock();
        }
    }

    /** Waits until nobody executes on this queue pair who began before. */
    void pass()
    {
        postLock.lock();
        postLock.unlock();
        acquireGuard("ibv_dereg_mr");
        Guard.release(context, entry);
    }

    @Override
    public void attachMulticast(final Gid group, final int lid)
    {
        checkOpen("ibv_attach_mcast");
        postLock.lock();
        try
        {
            transport.attachMulticast(group, lid);
        }
        finally
        {
            postLock.unlock();
        }
    }

    @Override
    public void detachMulticast(final Gid group, final int lid)
    {
        checkOpen("ibv_detach_mcast");
        postLock.lock();
        try
        {
            transport.detachMulticast(group, lid);
        }
        finally
        {
            postLock.unlock();
        }
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        postLock.lock();
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
            sendQueue.free();
        }
        finally
        {
            postLock.unlock();
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
            acquireGuard("ibv_modify_qp");
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, QueuePairState.RESET.ordinal());
            receives.reset();
            Guard.release(context, entry);
            // First of all: whoever polls an old completion after the counters were set would set them back.
            sendCq.purge(qpNum, receives);
            receiveCq.purge(qpNum, receives);
            receives.freeAll();
        }
        finally
        {
            receiveSide.unlock();
        }
        isFailed = false;
        failure = null;
        sendQueue.reset();
        attributes.reset();
        transport.disconnect();
    }

    boolean uses(final ShmCompletionQueue cq)
    {
        return sendCq == cq || receiveCq == cq;
    }

    boolean takesFrom(final ShmSharedReceiveQueue queue)
    {
        return receives instanceof SharedReceiveSource shared && shared.isOf(queue);
    }

    void lockPosting()
    {
        postLock.lock();
    }

    void unlockPosting()
    {
        postLock.unlock();
    }

    void releaseGuard()
    {
        Guard.release(context, entry);
    }

    void acquireGuard(final String verb)
    {
        if (!Guard.acquire(context, context.control(), entry, GUARD_DEADLINE_NS))
        {
            throw new RdmaException(Errno.ETIMEDOUT, verb, "a peer has executed on queue pair " + qpNum +
                " for 10 s; its process may be stopped (pid " + context.pidOf(
                UnsafeApi.getInt(entry + QueuePairEntry.GUARD_OFFSET)) + ")");
        }
    }

    private void checkOpen(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "queue pair " + qpNum + " is closed");
        }
    }
}
