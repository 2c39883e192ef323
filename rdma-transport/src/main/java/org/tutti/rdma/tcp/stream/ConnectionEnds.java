/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.Terminate;

/**
 * What follows for the requests of a queue pair when the peer has ended the connection. All methods are called with the
 * posting lock and the guard held. Allocates nothing.
 */
final class ConnectionEnds
{
    private static final int RETRY_EXC_ERR = WorkCompletionStatus.RETRY_EXC_ERR.ordinal();

    private final WireTransport transport;
    private final WireQueuePair queuePair;
    private final WireSendQueue queue;

    ConnectionEnds(final WireTransport transport, final WireQueuePair queuePair, final WireSendQueue queue)
    {
        this.transport = transport;
        this.queuePair = queuePair;
        this.queue = queue;
    }

    /**
     * Handles the end of the connection without a reason. This is how a standard peer announces that it is
     * done, which flushes the receives; a peer of Tutti announces it by a TERMINATE.
     */
    void lose()
    {
        if (transport.incarnation().isStandard())
        {
            end(RETRY_EXC_ERR, null);
            return;
        }
        transport.drop();
        queue.lose(RETRY_EXC_ERR);
    }

    /**
     * Handles a TERMINATE.
     *
     * @param frame   address of the whole frame.
     * @param payload length of its payload in bytes.
     * @param isUsed  whether the peer has sent anything before.
     */
    void terminated(final long frame, final int payload, final boolean isUsed)
    {
        final long data = frame + Fpdu.UNTAGGED_HEADER;
        final boolean isStandard = transport.incarnation().isStandard();
        if (isStandard && payload >= Terminate.STANDARD_SIZE)
        {
            end(Terminate.standardStatus(Terminate.error(data)).ordinal(), AsyncEventType.QP_FATAL);
        }
        else if (!isStandard && payload == Terminate.SIZE)
        {
            terminated(Terminate.error(data), Terminate.executed(data), isUsed);
        }
        else
        {
            transport.fail(Terminate.PROTOCOL);
        }
    }

    /** Drops a connection that no other one replaces: the queue pair is in the error state afterwards. */
    private void end(final int status, final AsyncEventType event)
    {
        transport.drop();
        if (queue.isWaiting())
        {
            queue.lose(status);
            return;
        }
        queuePair.fail(event);
        queue.flush();
    }

    /**
     * Handles the TERMINATE of a peer. If the peer has neither executed nor sent anything, it was reset before it was
     * connected to this incarnation. Then all requests are sent again once the peer is connected, until they time out,
     * as packets that are not acknowledged.
     *
     * @param error    reason, of {@link Terminate}.
     * @param executed number of messages that the peer has executed.
     * @param isUsed   whether the peer has sent anything before.
     */
    private void terminated(final int error, final long executed, final boolean isUsed)
    {
        final boolean isUnused = error == Terminate.CLOSED && executed == 0 && !isUsed && queue.isRestartable();
        transport.drop();
        if (isUnused)
        {
            transport.expectAnother();
            return;
        }
        queue.finishExecuted(executed);
        if (error == Terminate.CLOSED || queue.isWaiting())
        {
            queue.lose(Terminate.status(error).ordinal());
        }
        else
        {
            // The request that failed is already complete.
            queuePair.fail(AsyncEventType.QP_FATAL);
            queue.flush();
        }
    }
}
