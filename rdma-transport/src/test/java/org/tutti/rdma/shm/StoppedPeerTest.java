/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.soft.SoftCompletionQueue;
import org.tutti.rdma.soft.SoftQueuePair;
import org.tutti.rdma.soft.queue.Responder;
import org.tutti.rdma.soft.segment.QueuePairEntry;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests failures of a queue pair while a live peer holds its guard, as a stopped process does. */
@Timeout(60)
class StoppedPeerTest
{
    private static final long SOON_NS = 10_000_000_000L;
    private static final int RTS = QueuePairState.RTS.ordinal();

    private final ShmProvider provider = new ShmProvider((Path)null);
    private final Pair sender = new Pair(provider, 4096);
    private final Pair peer = new Pair(provider, 4096);
    private final ShmContext stopped = (ShmContext)peer.context;
    private final long entry = ((SoftQueuePair)sender.qp).local().entry();

    StoppedPeerTest()
    {
        sender.connect(peer.qp.qpNum());
        peer.connect(sender.qp.qpNum());
        sender.prepareWrite(peer.memory.address(), peer.region.rkey());
        sender.send.opcode(SendOpcode.RDMA_WRITE);
        assertTrue(Guard.acquire(stopped.peers(), ((ShmContext)sender.context).control(), entry, SOON_NS));
    }

    @AfterEach
    void close()
    {
        Guard.release(stopped.peers(), entry);
        sender.close();
        peer.close();
    }

    @Test
    void shouldExecuteNoFurtherRequestWhenOneFailed()
    {
        final int rkey = peer.region.rkey();
        sender.buffer.putLong(0, 77);
        sender.send.rdma(peer.memory.address(), rkey + 1);
        sender.postSend(false);
        sender.send.rdma(peer.memory.address(), rkey);
        sender.postSend(false);

        assertPolled(WorkCompletionStatus.REM_ACCESS_ERR);
        assertPolled(WorkCompletionStatus.WR_FLUSH_ERR);
        assertEquals(0, peer.buffer.getLong(0));
        assertEquals(QueuePairState.ERR, sender.qp.state());
        assertEquals(RTS, QueuePairEntry.state(entry));
        assertEntersError();
    }

    @Test
    void shouldFailQueuePairsLaterWhenGuardIsHeldDuringOverrun()
    {
        final ShmContext context = (ShmContext)sender.context;
        Responder.overrun(context.control(), ((SoftCompletionQueue)sender.cq).ring(), context.token());

        assertEquals(new AsyncEvent(AsyncEventType.CQ_ERR, sender.cq), context.awaitAsyncEvent(SOON_NS));
        assertEquals(RTS, QueuePairEntry.state(entry));
        assertEntersError();
        assertEquals(new AsyncEvent(AsyncEventType.QP_FATAL, sender.qp), context.awaitAsyncEvent(SOON_NS));
    }

    @Test
    void shouldFlushReceivesLaterWhenGuardIsHeld()
    {
        UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, QueuePairState.ERR.ordinal());
        sender.postReceive();
        assertEquals(0, sender.poll());

        Guard.release(stopped.peers(), entry);
        assertPolled(WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private void assertEntersError()
    {
        Guard.release(stopped.peers(), entry);
        while (QueuePairEntry.state(entry) == RTS)
        {
            LockSupport.parkNanos(100_000);
        }
        assertEquals(QueuePairState.ERR, sender.qp.state());
    }

    private void assertPolled(final WorkCompletionStatus status)
    {
        sender.await();
        assertEquals(status, sender.completion.status());
    }
}
