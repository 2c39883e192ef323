/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.soft.SoftCompletionQueue;
import org.tutti.rdma.soft.SoftQueuePair;
import org.tutti.rdma.soft.SoftSharedReceiveQueue;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;
import org.tutti.rdma.soft.segment.SharedReceives;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that a receive is used exactly once if a sender dies while it takes or completes the receive. */
@Timeout(60)
class DeadSenderTest
{
    private static final long SOON_NS = 10_000_000;

    private final ShmProvider provider = new ShmProvider((Path)null);
    private final Pair pair = new Pair(provider, 4096);
    private final ShmContext owner = (ShmContext)pair.context;
    private final ShmContext sender = (ShmContext)provider.devices().getFirst().open();
    private final ShmContext next = (ShmContext)provider.devices().getFirst().open();
    private final long control = owner.control();
    private final long ring = ((SoftCompletionQueue)pair.cq).ring();
    private final SharedReceiveQueue shared = pair.domain.createSharedReceiveQueue(4, 1);
    private final long queue = ((SoftSharedReceiveQueue)shared).slots().address();
    private final QueuePair first = sharing();
    private final QueuePair second = sharing();

    private QueuePair sharing()
    {
        return pair.domain.createQueuePair(new QueuePairInitAttributes(
            QueuePairType.UD, pair.cq, pair.cq, shared, 4, 0, 1, 1, 0, false));
    }

    @AfterEach
    void close()
    {
        first.close();
        second.close();
        shared.close();
        sender.close();
        next.close();
        pair.close();
    }

    @Test
    void shouldNotReuseReceiveWhenCompletionWasPublished()
    {
        final long entry = postOwn();
        assertNotEquals(0, Receives.next(control, entry));
        publish(entry);
        die();

        takeOver(entry);
        assertEquals(1, UnsafeApi.getLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET));
    }

    @Test
    void shouldNotReuseReceiveWhenCompletionWasPolled()
    {
        final long entry = postOwn();
        publish(entry);
        assertEquals(1, pair.poll());
        die();

        takeOver(entry);
        assertEquals(1, UnsafeApi.getLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET));
    }

    @Test
    void shouldUseReceiveWhenCompletionWasNotPublished()
    {
        final long entry = postOwn();
        assertTrue(CompletionRing.claim(control, ring, sender.token()) >= 0);
        die();

        takeOver(entry);
        assertEquals(0, UnsafeApi.getLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET));
        assertNotEquals(0, Receives.next(control, entry));
    }

    @Test
    void shouldNotReuseSharedReceiveWhenCompletionWasPublished()
    {
        final long entry = postShared();
        final long used = Receives.next(control, entry);
        publish(entry);
        die();

        takeOver(entry);
        assertNotEquals(used, Receives.next(control, entry));
        assertEquals(1, pair.poll());
    }

    @Test
    void shouldNotReuseSharedReceiveWhenCompletionWasPolled()
    {
        final long entry = postShared();
        final long used = Receives.next(control, entry);
        publish(entry);
        assertEquals(1, pair.poll());
        die();

        takeOver(entry);
        final long other = Receives.next(control, entry);
        assertTrue(other != 0 && other != used);
    }

    @Test
    void shouldUseCurrentSharedReceiveWhenSenderDied()
    {
        final long entry = postShared();
        final long held = Receives.next(control, entry);
        die();

        assertNotEquals(held, Receives.next(control, entryOf(second)));
        takeOver(entry);
        assertEquals(held, Receives.next(control, entry));
    }

    @Test
    void shouldTakeNextSharedReceiveWhenAnotherQueuePairTookTheFirst()
    {
        final long entry = postShared();
        final long wanted = Receives.next(control, entryOf(second));
        final long ticket = UnsafeApi.getLong(entryOf(second) + QueuePairEntry.RQ_TAKEN_OFFSET);
        UnsafeApi.putLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET, ticket);
        die();

        takeOver(entry);
        final long other = Receives.next(control, entry);
        assertTrue(other != 0 && other != wanted);
    }

    @Test
    void shouldCountSharedReceiveWhenTakerDiedBeforeCounting()
    {
        final long entry = postShared();
        final long held = Receives.next(control, entry);
        UnsafeApi.putLong(queue + SharedReceives.TAKEN_OFFSET, 1);
        die();

        final long other = Receives.next(control, entryOf(second));
        assertTrue(other != 0 && other != held);
        assertEquals(3, UnsafeApi.getLong(queue + SharedReceives.TAKEN_OFFSET));
        takeOver(entry);
        assertEquals(held, Receives.next(control, entry));
    }

    private static long entryOf(final QueuePair queuePair)
    {
        return ((SoftQueuePair)queuePair).local().entry();
    }

    /** The entry of a queue pair with two receives of its own, held by the sender. */
    private long postOwn()
    {
        pair.connect(pair.qp.qpNum());
        pair.postReceive();
        pair.postReceive();
        final long entry = entryOf(pair.qp);
        assertTrue(Guard.acquire(sender.peers(), control, entry, SOON_NS));
        return entry;
    }

    /** The entry of a queue pair with two shared receives, held by the sender. */
    private long postShared()
    {
        assertEquals(0, shared.postReceive(pair.receive.nativeAddress()));
        assertEquals(0, shared.postReceive(pair.receive.nativeAddress()));
        final long entry = entryOf(first);
        assertTrue(Guard.acquire(sender.peers(), control, entry, SOON_NS));
        return entry;
    }

    private void publish(final long entry)
    {
        final long position = CompletionRing.claim(control, ring, sender.token());
        CompletionRing.putRequest(CompletionRing.slot(control, ring, position), 1, 0,
            UnsafeApi.getInt(entry + QueuePairEntry.QP_NUM_OFFSET), -Receives.ticket(entry));
        CompletionRing.publish(control, ring, position, sender.token(), false);
    }

    private void die()
    {
        sender.close();
    }

    private void takeOver(final long entry)
    {
        assertTrue(Guard.acquire(next.peers(), control, entry, 100 * SOON_NS));
        Guard.release(next.peers(), entry);
    }
}
