/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.SoftCompletionQueue;
import org.tutti.rdma.soft.SoftQueuePair;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueuePairEntry;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests recovery from state in shared memory as left by a killed peer, which the tests write directly. */
@Timeout(60)
class KilledPeerTest
{
    private static final int POLLS = 100_000;

    private final ShmProvider provider = new ShmProvider((Path)null);
    private final Pair sender = new Pair(provider, 4096);
    private final Pair owner = new Pair(provider, 4096);
    private final long control = ((ShmContext)owner.context).control();
    private final long entry = ((SoftQueuePair)owner.qp).local().entry();
    private final long ring = ((SoftCompletionQueue)owner.cq).ring();
    private final int dead;

    KilledPeerTest()
    {
        final ShmContext context = (ShmContext)provider.devices().getFirst().open();
        dead = context.token();
        context.close();
        sender.connect(owner.qp.qpNum());
        owner.connect(sender.qp.qpNum());
        sender.prepareWrite(owner.memory.address(), owner.region.rkey());
    }

    @AfterEach
    void close()
    {
        sender.close();
        owner.close();
    }

    @Test
    void shouldFlushReceivesWhenPeerDiedInErrorState()
    {
        postReceives(3);
        takeGuard();
        UnsafeApi.putIntVolatile(null, entry + QueuePairEntry.STATE_OFFSET, QueuePairState.ERR.ordinal());
        // As the watcher does when it detects the peer's death.
        CompletionRing.wake(control + ControlLayout.DOORBELL_OFFSET);

        for (int i = 0; i < 3; i++)
        {
            assertPolled(i, WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void shouldDeliverReceiveOnceWhenPeerDiedAfterCompletion()
    {
        postReceives(2);
        takeGuard();
        final long position = CompletionRing.claim(control, ring, dead);
        final long slot = CompletionRing.slot(control, ring, position);
        final long taken = UnsafeApi.getLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET);
        CompletionRing.putRequest(slot, 0, 0, owner.qp.qpNum(), -(taken + 1));
        CompletionRing.putDetail(slot, CompletionOpcode.RECV, 0);
        CompletionRing.publish(control, ring, position, dead, false);

        toState(QueuePairState.ERR);

        assertPolled(0, WorkCompletionStatus.SUCCESS);
        assertPolled(1, WorkCompletionStatus.WR_FLUSH_ERR);
        assertNothingPolled();
    }

    @Test
    void shouldSkipCompletionWhenProducerDiedAfterClaim()
    {
        postReceives(1);
        CompletionRing.claim(control, ring, dead);
        sender.postSend(false);

        assertPolled(0, WorkCompletionStatus.SUCCESS);
        assertNothingPolled();
    }

    @Test
    void shouldWakeWaiterWhenProducerDiedAfterClaim()
    {
        CompletionRing.claim(control, ring, dead);
        postReceives(1);
        owner.cq.requestNotify(false);
        sender.postSend(false);

        assertEquals(owner.cq, owner.channel.awaitEvent(10_000_000_000L));
        assertPolled(0, WorkCompletionStatus.SUCCESS);
    }

    @Test
    void shouldSkipEventWhenProducerDiedAfterClaim()
    {
        CompletionRing.claim(control, control + ControlLayout.EVENT_RING_OFFSET, dead);
        sender.prepareWrite(owner.memory.address(), owner.region.rkey() + 1);
        sender.postSend(false);

        assertEquals(owner.qp, owner.context.awaitAsyncEvent(10_000_000_000L).element());
    }

    @Test
    void shouldResetAndDeregisterWhenADeadPeerHoldsTheGuard()
    {
        takeGuard();
        toState(QueuePairState.RESET);
        assertEquals(QueuePairState.RESET, owner.qp.state());
        takeGuard();
        owner.region.close();
        takeGuard();
        owner.qp.close();
    }

    private void takeGuard()
    {
        assertTrue(UnsafeApi.compareAndSetInt(null, entry + QueuePairEntry.GUARD_OFFSET, 0, dead));
    }

    private void postReceives(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            owner.receive.wrId(i);
            owner.postReceive();
        }
    }

    private void toState(final QueuePairState state)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = state;
        owner.qp.modify(attributes, QueuePairAttributeMask.STATE);
    }

    private void assertPolled(final long wrId, final WorkCompletionStatus status)
    {
        owner.await();
        assertEquals(wrId, owner.completion.wrId());
        assertEquals(status, owner.completion.status());
    }

    private void assertNothingPolled()
    {
        for (int i = 0; i < POLLS; i++)
        {
            assertEquals(0, owner.poll());
        }
    }
}
