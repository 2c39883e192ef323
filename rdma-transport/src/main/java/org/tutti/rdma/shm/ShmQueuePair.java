/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.spi.ConnectionAttributes;
import org.tutti.rdma.spi.ModifyRules;

import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;
import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;

/**
 * A reliable connection. The posting lock covers the send side and the connection, the receive lock the receive queue,
 * the {@link Guard} what the peer sees; they are taken in this order.
 */
final class ShmQueuePair implements QueuePair
{
    private static final QueuePairState[] STATES = QueuePairState.values();
    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int ERR = QueuePairState.ERR.ordinal();
    private static final ModifyRules.Limits LIMITS = new ModifyRules.Limits(1, 1, 1, ShmContext.MAX_RD_ATOMIC);
    private static final int LOAD_STORE = AccessFlags.ALL & ~AccessFlags.LOCAL_WRITE;
    private static final long GUARD_DEADLINE_NS = 10_000_000_000L;
    /** How long posting and polling wait for a peer that executes; the progress thread does what they leave. */
    private static final long SHORT_DEADLINE_NS = 1_000_000L;
    /** How soon the progress thread asks again for the guard that a peer, which may be stopped, keeps. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final ShmProtectionDomain protectionDomain;
    private final ShmContext context;
    private final ShmCompletionQueue sendCq;
    private final ShmCompletionQueue receiveCq;
    private final int qpNum;
    private final long entry;
    private final long postLock;
    private final long receiveLock;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
    private final QueuePairCapabilities capabilities;
    private final ConnectionAttributes attributes = new ConnectionAttributes();
    private PeerContext peer;
    private Requester requester;
    private long badSendRequest;
    private long badReceiveRequest;
    private AsyncEventType failure;
    private volatile boolean isFailed;
    private volatile boolean isClosed;

    ShmQueuePair(final ShmProtectionDomain protectionDomain, final QueuePairInitAttributes init, final int index)
    {
        this.protectionDomain = protectionDomain;
        context = protectionDomain.context();
        capabilities = init.capabilities();
        sendCq = (ShmCompletionQueue)init.sendQueue();
        receiveCq = (ShmCompletionQueue)init.receiveQueue();
        qpNum = ControlLayout.qpNum(context.index(), index);
        entry = ControlLayout.queuePair(context.control(), index);
        postLock = entry + QueuePairEntry.POST_LOCK_OFFSET;
        receiveLock = postLock + Integer.BYTES;
        receiveQueue = new ReceiveQueue(context, entry, init.maxReceiveRequests(), init.maxReceiveSge());
        sendQueue = new SendQueue(this, init, sendCq.ring());
        UnsafeApi.putInt(entry + QueuePairEntry.STATE_OFFSET, QueuePairState.RESET.ordinal());
        UnsafeApi.putInt(entry + QueuePairEntry.ACCESS_OFFSET, 0);
        UnsafeApi.putInt(entry + QueuePairEntry.DOMAIN_OFFSET, protectionDomain.number());
        UnsafeApi.putLong(entry + QueuePairEntry.RECEIVE_RING_OFFSET, receiveCq.ring() - context.control());
        UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.QP_NUM_OFFSET, qpNum);
        sendCq.attach();
        receiveCq.attach();
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

    ReceiveQueue receiveQueue()
    {
        return receiveQueue;
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
        return isFailed ? QueuePairState.ERR : STATES[QueuePairEntry.state(entry)];
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
        return badReceiveRequest;
    }

    @Override
    public int postSend(final long sendRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        SpinLock.lock(postLock);
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
            SpinLock.unlock(postLock);
        }
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        SpinLock.lock(receiveLock);
        final int errno;
        try
        {
            errno = postReceives(receiveRequestAddress);
        }
        finally
        {
            SpinLock.unlock(receiveLock);
        }
        // Whoever sets the error state flushes what it sees posted after; this thread looks at the state after posting.
        UnsafeApi.fullFence();
        if (flushReceives() != Long.MAX_VALUE)
        {
            CompletionRing.wake(context.control() + ControlLayout.DOORBELL_OFFSET);
        }
        return errno;
    }

    private int postReceives(final long receiveRequestAddress)
    {
        long wr = receiveRequestAddress;
        int errno = 0;
        while (wr != 0)
        {
            errno = isClosed ? Errno.EINVAL : receiveQueue.post(wr);
            if (errno != 0)
            {
                break;
            }
            wr = UnsafeApi.getLong(wr + ReceiveWorkRequest.NEXT_OFFSET);
        }
        badReceiveRequest = wr;
        return errno;
    }

    /**
     * Completes the receives that are left in the error state: those posted since, and those of a peer that was killed
     * before it had flushed all.
     *
     * @return in nanoseconds, when to call again; {@link Long#MAX_VALUE} when nothing is left.
     */
    long flushReceives()
    {
        if (isClosed || QueuePairEntry.state(entry) != ERR || !receiveQueue.isPending())
        {
            return Long.MAX_VALUE;
        }
        if (!Guard.acquire(context, entry, SHORT_DEADLINE_NS))
        {
            return GUARD_PAUSE_NS;
        }
        try
        {
            if (QueuePairEntry.state(entry) == ERR)
            {
                Responder.flushReceives(context.control(), entry, context.token());
            }
        }
        finally
        {
            Guard.release(context, entry);
        }
        return Long.MAX_VALUE;
    }

    @Override
    public void modify(final QueuePairAttributes values, final int mask)
    {
        checkOpen("ibv_modify_qp");
        SpinLock.lock(postLock);
        try
        {
            final QueuePairState before = state();
            final QueuePairState next = ModifyRules.check(before, values, mask, LIMITS);
            if ((mask & AV) != 0)
            {
                context.checkPath(values.path, (mask & DEST_QPN) != 0 ? values.destQpNum : attributes.destQpNum());
            }
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
            // As early as can be: from now on its death is noticed, and nobody else is taken for it.
            peer();
            if (next != before)
            {
                sendQueue.tellWhenDrained(next == QueuePairState.SQD && values.sqdAsyncNotify &&
                    (mask & EN_SQD_ASYNC_NOTIFY) != 0);
            }
            sendQueue.progress();
        }
        finally
        {
            SpinLock.unlock(postLock);
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
            if (next == QueuePairState.RTR)
            {
                UnsafeApi.putInt(entry + QueuePairEntry.DEST_QP_NUM_OFFSET, values.destQpNum);
                UnsafeApi.putInt(entry + QueuePairEntry.RQ_PSN_OFFSET, values.rqPsn);
                UnsafeApi.putInt(entry + QueuePairEntry.ESTABLISHED_OFFSET, 0);
                context.startProgress();
            }
            requester = null;
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, next.ordinal());
        }
        finally
        {
            Guard.release(context, entry);
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
        if (Guard.acquire(context, entry, SHORT_DEADLINE_NS))
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
            SpinLock.lock(postLock);
        }
        else if (!SpinLock.tryLock(postLock))
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
        catch (final RuntimeException e)
        {
            // Told to the owner as what it is to it; the caller has other queue pairs to go on with.
            failure = AsyncEventType.QP_FATAL;
            isFailed = true;
            context.backlogChanged(this);
            return GUARD_PAUSE_NS;
        }
        finally
        {
            SpinLock.unlock(postLock);
        }
    }

    /**
     * What executes requests; the posting lock is held.
     *
     * @return null while there is no such peer.
     */
    Requester requester()
    {
        if (requester == null && peer() != null)
        {
            // It may have died since it was connected, and nobody noticed yet.
            peer.checkDead();
            requester = new Requester(this, peer,
                new Requester.Connection(attributes.destQpNum(), attributes.sqPsn(), attributes.maxRdAtomic()));
        }
        return requester;
    }

    private PeerContext peer()
    {
        if (peer == null && QueuePairEntry.state(entry) >= RTR && attributes.destQpNum() != 0)
        {
            peer = context.connect(ControlLayout.contextIndex(attributes.destQpNum()));
        }
        return peer;
    }

    @Override
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        if (isClosed)
        {
            return 0;
        }
        SpinLock.lock(postLock);
        try
        {
            if (peer() == null || peer.isGone() || length <= 0 || access == 0 || (access & ~LOAD_STORE) != 0)
            {
                return 0;
            }
            return mappedAddress(remoteAddress, length, rkey, access);
        }
        finally
        {
            SpinLock.unlock(postLock);
        }
    }

    private long mappedAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        final int index = ControlLayout.localIndex(attributes.destQpNum());
        final long peerEntry = ControlLayout.queuePair(peer.control(), index);
        if (index >= UnsafeApi.getInt(peer.control() + ControlLayout.QP_LIMIT_OFFSET) ||
            !Guard.acquire(context, peerEntry, GUARD_DEADLINE_NS))
        {
            return 0;
        }
        try
        {
            final long region = RegionEntry.find(peer.control(), rkey);
            final int domain = UnsafeApi.getInt(peerEntry + QueuePairEntry.DOMAIN_OFFSET);
            if (region == 0 || UnsafeApi.getInt(peerEntry) != attributes.destQpNum() ||
                (UnsafeApi.getInt(peerEntry + QueuePairEntry.ACCESS_OFFSET) & access) != access ||
                !RegionEntry.allows(region, domain, access, remoteAddress, length))
            {
                return 0;
            }
            final long delta = peer.pinnedDelta(region);
            return delta <= PeerContext.FOREIGN ? 0 : remoteAddress + delta;
        }
        finally
        {
            Guard.release(context, peerEntry);
        }
    }

    @Override
    public void query(final QueuePairAttributes values)
    {
        checkOpen("ibv_query_qp");
        SpinLock.lock(postLock);
        try
        {
            attributes.copyTo(values);
            values.state = state();
            values.currentState = values.state;
            values.capabilities = capabilities;
        }
        finally
        {
            SpinLock.unlock(postLock);
        }
    }

    /** Waits until nobody executes on this queue pair who began before. */
    void pass()
    {
        SpinLock.lock(postLock);
        SpinLock.unlock(postLock);
        acquireGuard("ibv_dereg_mr");
        Guard.release(context, entry);
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        SpinLock.lock(postLock);
        try
        {
            reset();
            isClosed = true;
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.QP_NUM_OFFSET, 0);
            sendQueue.free();
        }
        finally
        {
            SpinLock.unlock(postLock);
        }
        context.remove(this);
        receiveQueue.free(context.heap());
        sendCq.detach();
        receiveCq.detach();
        protectionDomain.release();
    }

    private void reset()
    {
        SpinLock.lock(receiveLock);
        try
        {
            acquireGuard("ibv_modify_qp");
            UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, QueuePairState.RESET.ordinal());
            receiveQueue.reset();
            Guard.release(context, entry);
            // First of all: whoever polls an old completion after the counters were set would set them back.
            sendCq.purge(qpNum);
            receiveCq.purge(qpNum);
            receiveQueue.freeAll();
        }
        finally
        {
            SpinLock.unlock(receiveLock);
        }
        isFailed = false;
        failure = null;
        sendQueue.reset();
        attributes.reset();
        requester = null;
        if (peer != null)
        {
            context.disconnect(peer);
            peer = null;
        }
    }

    boolean uses(final ShmCompletionQueue cq)
    {
        return sendCq == cq || receiveCq == cq;
    }

    private void acquireGuard(final String verb)
    {
        if (!Guard.acquire(context, entry, GUARD_DEADLINE_NS))
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
