/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.queue.Responder;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.ReadLimits;
import org.tutti.rdma.tcp.wire.Terminate;

import java.nio.channels.SocketChannel;

/**
 * The connection of a queue pair: none yet, established, or lost. After a loss, the next request fails. Guarded by the
 * posting lock; {@link #tryProgress} acquires it.
 */
public final class WireTransport extends Transport
{
    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int LOC_QP_OP_ERR = WorkCompletionStatus.LOC_QP_OP_ERR.ordinal();
    private static final int RETRY_EXC_ERR = WorkCompletionStatus.RETRY_EXC_ERR.ordinal();
    private static final long GUARD_DEADLINE_NS = 1_000_000_000L;

    private final WireQueuePair queuePair;
    private final WireNetwork network;
    private final PrivateData.Place here;
    private final int maxPayload;
    private final ScatterList target = new ScatterList();
    private final WireResponder responder;
    private final WaitTimers timers;
    private WireSendQueue queue;
    private volatile WireConnection connection;
    private volatile Incarnation incarnation;
    private int peerPsn;
    private boolean isRequested;
    private volatile boolean isLost;

    /**
     * Creates the transport of a queue pair that is being created.
     *
     * @param queuePair  queue pair.
     * @param network    network of the context.
     * @param here       queue pair and port.
     * @param maxPayload maximum payload of the frames that this side sends, in bytes, at most
     *                   {@link Fpdu#MAX_PAYLOAD}.
     */
    public WireTransport(final WireQueuePair queuePair, final WireNetwork network, final PrivateData.Place here,
        final int maxPayload)
    {
        super(queuePair);
        this.queuePair = queuePair;
        this.network = network;
        this.here = here;
        this.maxPayload = maxPayload;
        responder = new WireResponder(queuePair, target, maxPayload);
        timers = new WaitTimers(queuePair);
    }

    void attach(final WireSendQueue sendQueue)
    {
        queue = sendQueue;
    }

    void free()
    {
        target.free();
    }

    ScatterList target()
    {
        return target;
    }

    int maxPayload()
    {
        return maxPayload;
    }

    /** This side of the connection. */
    public PrivateData.Place here()
    {
        return here;
    }

    /** The present incarnation, or null before RTR and after a reset. */
    public Incarnation incarnation()
    {
        return incarnation;
    }

    @Override
    public void check(final QueuePairAttributes values, final int mask)
    {
        PeerAttributes.check(values, mask, network.acceptsStandardPeers());
    }

    @Override
    public void changed(final QueuePairAttributes values, final QueuePairState next)
    {
        if (next == QueuePairState.RTR && incarnation == null)
        {
            UnsafeApi.putInt(queuePair.entry() + QueuePairEntry.RQ_PSN_OFFSET, values.rqPsn);
            UnsafeApi.putInt(queuePair.entry() + QueuePairEntry.ESTABLISHED_OFFSET, 0);
            incarnation = Incarnation.begin(
                new PrivateData.Place(values.path.dgid(), values.path.dlid(), values.destQpNum), values.rqPsn);
            queue.permitStandardOnly(incarnation.isStandard());
        }
    }

    @Override
    public void connect()
    {
        final int state = QueuePairEntry.state(queuePair.entry());
        // Standard peers negotiate the number of reads, which is an attribute of RTS.
        if (!isRequested && incarnation != null && state >= (incarnation.isStandard() ? RTS : RTR))
        {
            isRequested = true;
            network.connect(this);
        }
        if (connection != null && !isPsnExpected(state, peerPsn))
        {
            close(Terminate.CLOSED);
            expectAnother();
        }
    }

    /**
     * Whether the peer expects the first packet of this incarnation; true if its number is not known, as before RTS.
     */
    private boolean isPsnExpected(final int state, final int expected)
    {
        return state < RTS || incarnation.isStandard() || expected == queuePair.attributes().sqPsn();
    }

    /** The numbers of reads that the attributes of the queue pair permit, from RTS on. */
    public ReadLimits readLimits()
    {
        return new ReadLimits(
            Math.min(ReadLimits.MAX,
                UnsafeApi.getInt(queuePair.entry() + QueuePairEntry.MAX_DEST_RD_ATOMIC_OFFSET)),
            Math.min(ReadLimits.MAX, queuePair.attributes().maxRdAtomic()));
    }

    @Override
    public void disconnect()
    {
        close(Terminate.CLOSED);
        if (isRequested)
        {
            network.disconnect(this);
        }
        isRequested = false;
        isLost = false;
        timers.reset();
        incarnation = null;
    }

    @Override
    public void deregistered(final int key)
    {
        if (connection != null)
        {
            connection.deregistered(key);
        }
    }

    /**
     * Takes over a connection, which is authenticated unless the peer is a standard one, with the posting lock not
     * held.
     *
     * @param channel non-blocking channel.
     * @param meant   incarnation that the handshake was for.
     * @param result  what the handshake agreed on.
     * @return false if the queue pair does not expect this connection, or not any more.
     */
    public boolean established(final SocketChannel channel, final Incarnation meant, final HandshakeResult result)
    {
        queue.lock();
        try
        {
            if (!meant.equals(incarnation) || !isExpecting() ||
                !isPsnExpected(QueuePairEntry.state(queuePair.entry()), result.psn()))
            {
                return false;
            }
            peerPsn = result.psn();
            responder.reset(meant.peer(), result.msn());
            queue.begin(result, meant.isStandard());
            connection = new WireConnection(channel, network, this, queue, responder,
                new ConnectionEnds(this, queuePair, queue), result);
            send();
            return true;
        }
        finally
        {
            queue.unlock();
        }
    }

    /** The channel of the established connection, or null. */
    public SocketChannel channel()
    {
        final WireConnection now = connection;
        return now == null ? null : now.channel();
    }

    /** Whether the socket is full. A snapshot. */
    public boolean isWriting()
    {
        final WireConnection now = connection;
        return now != null && now.isWriting();
    }

    /** Whether a timer runs: a request waits for the connection, or a message of the peer for a receive. A snapshot. */
    public boolean isTimed()
    {
        return timers.isRunning();
    }

    /** Sends requests after they were added. */
    void send()
    {
        if (connection != null)
        {
            try
            {
                connection.send(false);
            }
            catch (final RuntimeException e)
            {
                breakDown();
            }
        }
        else if (isLost)
        {
            queue.lose(RETRY_EXC_ERR);
        }
        else
        {
            checkTimeout();
        }
    }

    private void checkTimeout()
    {
        if (!queue.isWaiting())
        {
            timers.stopConnecting();
            return;
        }
        if (timers.startConnecting())
        {
            network.wake();
        }
        if (timers.isConnectingTooLong())
        {
            timers.stopConnecting();
            queue.lose(RETRY_EXC_ERR);
        }
    }

    /**
     * Notes that an attempt to connect failed; called without the posting lock.
     *
     * @param isRefused whether the peer's host refused the connection, or cannot be reached.
     */
    public void attemptFailed(final boolean isRefused)
    {
        timers.setRefused(isRefused);
    }

    /**
     * Receives and sends what is possible now, unless another thread does.
     *
     * @return true if anything was received.
     */
    public boolean tryProgress()
    {
        if (queue == null || !queue.tryLock())
        {
            return false;
        }
        try
        {
            return queue.isOpen() && progress();
        }
        catch (final RuntimeException e)
        {
            breakDown();
            return false;
        }
        finally
        {
            queue.unlock();
        }
    }

    private boolean progress()
    {
        if (connection == null)
        {
            if (timers.isConnecting())
            {
                checkTimeout();
            }
            return false;
        }
        if (!queuePair.acquireGuard(GUARD_DEADLINE_NS))
        {
            return false;
        }
        try
        {
            final boolean isActive = connection.progress();
            if (isActive)
            {
                // Not earlier: the peer may accept and close connections again and again.
                timers.stopConnecting();
            }
            if (connection == null)
            {
                return isActive;
            }
            if (timers.isPaused())
            {
                checkPause();
            }
            else if (!isActive)
            {
                queue.idle();
            }
            return isActive;
        }
        finally
        {
            queuePair.releaseGuard();
        }
    }

    /** Notes when a message begins and ends to wait for a receive. */
    void pause(final boolean isNow)
    {
        if (timers.pause(isNow))
        {
            network.wake();
        }
    }

    /** Whether the queue pair waits for a connection. A snapshot. */
    public boolean isExpecting()
    {
        final int state = QueuePairEntry.state(queuePair.entry());
        return incarnation != null && connection == null && !isLost && state >= RTR && state <= SQD;
    }

    private void checkPause()
    {
        if (QueuePairEntry.state(queuePair.entry()) >= RTS && timers.isPausedTooLong())
        {
            close(Terminate.NO_RECEIVE);
            queue.lose(RETRY_EXC_ERR);
        }
    }

    /** Ends the connection because the peer violated the rules; the queue pair is in the error state afterwards. */
    void fail(final int error)
    {
        enterError(error == Terminate.PROTOCOL ? AsyncEventType.QP_FATAL : AsyncEventType.QP_ACCESS_ERR);
        close(error);
        queue.flush();
    }

    private void enterError(final AsyncEventType event)
    {
        if (queuePair.acquireGuard(GUARD_DEADLINE_NS))
        {
            try
            {
                Responder.fail(queuePair.control(), queuePair.entry(), queuePair.token(), event);
            }
            finally
            {
                queuePair.releaseGuard();
            }
        }
    }

    /**
     * Moves the queue pair to the error state because this side cannot use its connection any more, or cannot make one:
     * the first request fails, the others are flushed. The posting lock is not held.
     */
    public void abort()
    {
        queue.lock();
        try
        {
            breakDown();
        }
        finally
        {
            queue.unlock();
        }
    }

    /** As {@link #abort}, with the posting lock held. */
    void breakDown()
    {
        if (incarnation != null)
        {
            enterError(AsyncEventType.QP_FATAL);
            drop();
            queue.lose(LOC_QP_OP_ERR);
        }
    }

    /** Ends the connection if there is one, and tells the peer why. */
    void close(final int error)
    {
        final WireConnection ended = connection;
        if (ended != null)
        {
            connection = null;
            isLost = true;
            timers.pause(false);
            ended.terminate(error);
            network.wake();
        }
    }

    /** Waits for another connection after the last one ended unused. */
    void expectAnother()
    {
        isLost = false;
        queue.restart();
        network.reconnect(this);
    }

    /** Ends the connection if there is one, which the peer has ended or which is broken. */
    void drop()
    {
        final WireConnection ended = connection;
        if (ended != null)
        {
            connection = null;
            isLost = true;
            timers.pause(false);
            ended.abandon();
            network.wake();
        }
    }
}
