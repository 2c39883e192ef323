/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.RdmaCmId;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.spi.ConnectionAttributes;
import org.tutti.rdma.spi.ModifyRules;
import org.tutti.rdma.spi.Parents;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

import static org.tutti.rdma.QueuePairAttributeMask.ACCESS_FLAGS;
import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.MIN_RNR_TIMER;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;

/**
 * A queue pair: its number, state, attributes and outstanding requests. The underlying device queue pairs are created
 * and destroyed with connections. Thread-safe: posting and changes take its lock, polling takes none.
 */
final class DisniQueuePair implements QueuePair
{
    private static final String MODIFY = "ibv_modify_qp";
    private static final int PORT_MASK = 0xFFFF;
    private static final int PORT_BITS = 16;
    private static final int GENERATION_MASK = 0xFF;
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();
    private static final int GONE = WorkCompletionStatus.RETRY_EXC_ERR.ordinal();
    /** Minimum time for which sends wait for a connection: connecting takes longer than sending does. */
    private static final long MIN_PATIENCE_NS = 3_000_000_000L;
    private static final long TIMEOUT_UNIT_NS = 4096;
    /** Attributes that can be changed while connected. */
    private static final int CHANGEABLE = ACCESS_FLAGS | MIN_RNR_TIMER;
    private static final int NO_ATTEMPT = -1;
    private static final AtomicInteger GENERATIONS = new AtomicInteger();

    private final DisniProtectionDomain domain;
    private final DisniContext context;
    private final QueuePairInitAttributes init;
    private final Parents parents;
    private final DisniCompletionQueue sendCompletions;
    private final DisniCompletionQueue receiveCompletions;
    private final ConnectionAttributes attributes = new ConnectionAttributes();
    private final DisniSendQueue sends;
    private final DisniReceiveQueue receives;
    private final CmConnection connection;
    private final int index;
    private final int qpNum;
    private QueuePairState state = QueuePairState.RESET;
    private boolean isClosed;
    private long waitingSinceNs;
    private volatile int attempt = NO_ATTEMPT;
    private volatile boolean hasFailed;
    private volatile boolean isPeerLost;
    /** Whether a completion has reported why the queue pair failed. */
    private volatile boolean isReasonReported;

    /**
     * Creates a queue pair without a connection.
     *
     * @param domain  protection domain.
     * @param init    attributes, already checked.
     * @param parents parents, released on close.
     * @throws IOException if no port or no queue pair is left.
     */
    DisniQueuePair(final DisniProtectionDomain domain, final QueuePairInitAttributes init, final Parents parents)
        throws IOException
    {
        this.domain = domain;
        this.context = domain.disniContext();
        this.init = init;
        this.parents = parents;
        sendCompletions = (DisniCompletionQueue)init.sendQueue();
        receiveCompletions = (DisniCompletionQueue)init.receiveQueue();
        sends = new DisniSendQueue(init);
        receives = new DisniReceiveQueue(init);
        connection = new CmConnection(this, context);
        // The generation delays the reuse of a number even if the port is reused.
        qpNum = (GENERATIONS.incrementAndGet() & GENERATION_MASK) << PORT_BITS | connection.port();
        index = context.queuePairs().add(this);
    }

    @Override
    public int qpNum()
    {
        return qpNum;
    }

    @Override
    public QueuePairCapabilities capabilities()
    {
        return init.capabilities();
    }

    @Override
    public synchronized QueuePairState state()
    {
        checkOpen("ibv_query_qp");
        if ((state == QueuePairState.RTR || state == QueuePairState.RTS) && connection.hasFailed())
        {
            hasFailed = true;
        }
        return hasFailed ? QueuePairState.ERR : state;
    }

    private void checkOpen(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "the queue pair is closed");
        }
    }

    @Override
    public synchronized void modify(final QueuePairAttributes values, final int mask)
    {
        checkOpen(MODIFY);
        final QueuePairState before = state();
        final QueuePairState next = ModifyRules.check(
            QueuePairType.RC, before, values, mask, context.modifyLimits());
        if (next == QueuePairState.SQD)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, MODIFY,
                "DiSNI cannot drain a send queue: wait for its completions, or use the transport verbs");
        }
        if ((mask & AV) != 0)
        {
            checkPath(values.path);
        }
        if (before == next && connection.isEstablished() && (mask & CHANGEABLE) != 0)
        {
            final int errno = connection.live().device().modify(values, mask & CHANGEABLE);
            if (errno != 0)
            {
                throw new RdmaException(Math.abs(errno), MODIFY,
                    "queue pair " + qpNum + ": the device rejects these access flags or this RNR timer");
            }
        }
        attributes.set(values, mask);
        if ((mask & STATE) != 0)
        {
            transition(before, next);
        }
    }

    /**
     * Checks the address of a peer: its IPv4 address, the listening port of its context, and the port in its queue pair
     * number.
     */
    private void checkPath(final AddressHandleAttributes path)
    {
        if (!path.global() || !path.dgid().isIpv4Mapped())
        {
            throw new RdmaException(Errno.EINVAL, MODIFY, "ah_attr.grh.dgid " + path.dgid() +
                " is not an IPv4 address, which DiSNI requires: give peers an IPv4-mapped GID");
        }
        if (path.dlid() <= 0 || path.dlid() > PORT_MASK)
        {
            throw new RdmaException(Errno.EINVAL, MODIFY, "ah_attr.dlid " + path.dlid() +
                " is not a port on which rdma_cm listens: give peers the LID of queryPort");
        }
        if (path.sgidIndex() != context.source().index() || path.portNum() != context.source().portNum())
        {
            throw new RdmaException(Errno.EINVAL, MODIFY, "ah_attr.grh.sgid_index " + path.sgidIndex() + " of port " +
                path.portNum() + ": DiSNI uses the first IPv4 address, index " + context.source().index() +
                " of port " + context.source().portNum());
        }
    }

    private void transition(final QueuePairState before, final QueuePairState next)
    {
        switch (next)
        {
            case RESET -> reset();
            case RTR ->
            {
                final QueuePairAttributes current = new QueuePairAttributes();
                attributes.copyTo(current);
                connection.start(
                    CmAddress.of(current.path.dgid(), current.destQpNum & PORT_MASK),
                    CmAddress.of(current.path.dgid(), current.path.dlid()));
            }
            case RTS ->
            {
                if (before == QueuePairState.RTR)
                {
                    state = next;
                    connection.connectNow();
                }
            }
            case ERR -> connection.breakDown();
            default ->
            {
                // Nothing to do before ready-to-receive.
            }
        }
        state = next;
    }

    private void reset()
    {
        try
        {
            connection.reset();
        }
        catch (final IOException e)
        {
            throw DisniErrors.of(MODIFY, "queue pair " + qpNum + " cannot be reset", e);
        }
        dropCompletions();
        sends.reset();
        receives.reset();
        attributes.reset();
        hasFailed = false;
        isPeerLost = false;
        isReasonReported = false;
    }

    private void dropCompletions()
    {
        attempt = NO_ATTEMPT;
        sendCompletions.purge();
        if (receiveCompletions != sendCompletions)
        {
            receiveCompletions.purge();
        }
    }

    @Override
    public synchronized void query(final QueuePairAttributes values)
    {
        checkOpen("ibv_query_qp");
        attributes.copyTo(values);
        values.state = state();
        values.currentState = values.state;
        values.capabilities = init.capabilities();
    }

    /**
     * The RNR retry count that rdma_cm passes to the peer: the maximum until the state is RTS, because only the
     * transition to RTS sets the user's count.
     */
    int rnrRetry()
    {
        return state == QueuePairState.RTS ? attributes.rnrRetry() : 7;
    }

    int retryCount()
    {
        return state == QueuePairState.RTS ? attributes.retryCount() : 7;
    }

    CmEndpoint newEndpoint(final RdmaCmId id) throws IOException
    {
        return new CmEndpoint(
            context.manager(), id, domain.domain(), init, context.queuePairs().nextAttempt());
    }

    /**
     * Posts the backlog of receives to an endpoint; completions of earlier endpoints are ignored from now on.
     *
     * @param endpoint endpoint that is not connected yet.
     * @throws IOException if the device rejects a receive.
     */
    void use(final CmEndpoint endpoint) throws IOException
    {
        attempt = endpoint.attempt();
        if (!receives.replay(endpoint.receives(), index, attempt))
        {
            throw new IOException("ibv_post_recv: receives of queue pair " + qpNum + " are rejected");
        }
    }

    /** Drops the completions of the current endpoint, which is about to be destroyed. */
    void useNothing()
    {
        if (attempt != NO_ATTEMPT)
        {
            dropCompletions();
        }
    }

    /**
     * Sets the user's access rights and RNR timer again after rdma_cm connected the endpoint, because rdma_cm grants
     * peers all access rights and sets the longest RNR timer.
     *
     * @param endpoint connected endpoint.
     * @return false if the device rejects them.
     */
    boolean connected(final CmEndpoint endpoint)
    {
        final QueuePairAttributes current = new QueuePairAttributes();
        attributes.copyTo(current);
        return endpoint.device().modify(current, CHANGEABLE) == 0;
    }

    /**
     * Posts the waiting sends when the connection is established.
     *
     * @return false if the device rejected a waiting send.
     */
    boolean established(final CmEndpoint endpoint)
    {
        receives.forget();
        final boolean arePosted = sends.replay(endpoint.sends(), index, attempt);
        sends.forget();
        return arePosted;
    }

    boolean hasSends()
    {
        return sends.hasOutstanding();
    }

    /** Makes the next flushed send report that the peer did not respond. */
    void lost()
    {
        isPeerLost = true;
    }

    /** Whether sends have waited for a connection longer than an established connection would retry them. */
    boolean hasWaitedTooLong(final long nowNs)
    {
        if (!sends.hasOutstanding() || attributes.timeout() == 0)
        {
            return false;
        }
        final long retriesNs = (TIMEOUT_UNIT_NS << attributes.timeout()) * (attributes.retryCount() + 1);
        return nowNs - waitingSinceNs > Math.max(MIN_PATIENCE_NS, retriesNs);
    }

    @Override
    public synchronized int postSend(final long sendRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        if (state != QueuePairState.RTS && state != QueuePairState.ERR && !hasFailed)
        {
            sends.refuse(sendRequestAddress);
            return Errno.EINVAL;
        }
        connection.beforeSend();
        if (connection.canSend())
        {
            final CmEndpoint endpoint = connection.live();
            return endpoint == null ? sends.post(sendRequestAddress, null, true, index, attempt) :
                sends.post(sendRequestAddress, endpoint.sends(), false, index, attempt);
        }
        if (!sends.hasOutstanding())
        {
            waitingSinceNs = System.nanoTime();
        }
        return sends.post(sendRequestAddress, null, true, index, attempt);
    }

    @Override
    public long badSendRequest()
    {
        return sends.bad();
    }

    @Override
    public synchronized int postReceive(final long receiveRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        if (state == QueuePairState.RESET)
        {
            receives.refuse(receiveRequestAddress);
            return Errno.EINVAL;
        }
        final CmEndpoint endpoint = connection.live();
        return receives.post(receiveRequestAddress, endpoint == null ? null : endpoint.receives(),
            !connection.canSend(), index, attempt);
    }

    @Override
    public long badReceiveRequest()
    {
        return receives.bad();
    }

    int attempt()
    {
        return attempt;
    }

    /**
     * Translates the status of a failed completion.
     *
     * @param id     identifier of the request.
     * @param status status that the device reports.
     * @return status for the user.
     */
    int failed(final long id, final int status)
    {
        hasFailed = true;
        if (status != FLUSHED)
        {
            isReasonReported = true;
        }
        else if (isPeerLost && !isReasonReported && !WorkRequestId.isReceive(id))
        {
            isReasonReported = true;
            return GONE;
        }
        return status;
    }

    /**
     * Completes a request.
     *
     * @param id identifier of the request.
     * @return wr_id of the user.
     */
    long complete(final long id)
    {
        final WorkQueue queue = WorkRequestId.isReceive(id) ? receives : sends;
        return queue.complete(WorkRequestId.position(id));
    }

    /** Always 0: DiSNI accesses peers through the device only. */
    @Override
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        return 0;
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
            connection.close();
            dropCompletions();
        }
        context.queuePairs().remove(index);
        parents.release();
    }
}
