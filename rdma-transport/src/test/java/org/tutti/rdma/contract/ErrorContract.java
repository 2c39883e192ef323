/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Event;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.WorkCompletionStatus.LOC_LEN_ERR;
import static org.tutti.rdma.WorkCompletionStatus.LOC_PROT_ERR;
import static org.tutti.rdma.WorkCompletionStatus.LOC_QP_OP_ERR;
import static org.tutti.rdma.WorkCompletionStatus.REM_ACCESS_ERR;
import static org.tutti.rdma.WorkCompletionStatus.REM_INV_REQ_ERR;
import static org.tutti.rdma.WorkCompletionStatus.REM_OP_ERR;
import static org.tutti.rdma.WorkCompletionStatus.RETRY_EXC_ERR;
import static org.tutti.rdma.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static org.tutti.rdma.WorkCompletionStatus.SUCCESS;
import static org.tutti.rdma.WorkCompletionStatus.WR_FLUSH_ERR;

/** Tests errors and how both sides report them. */
abstract class ErrorContract extends PairContract
{
    private static final Tuning IMPATIENT = Tuning.DEFAULT.withTimeout(7);

    @Test
    void shouldFailBothSidesWhenAMessageIsTooLong()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 50), bRegion.sge(50, 49)), Receive.of(2, bRegion.sge(0, 100)));
        aPosts(Send.send(3, aRegion.sge(0, 100)), Send.send(4, aRegion.sge(0, 8)));

        final boolean isOperation = has(Quirk.SHORT_RECEIVE_IS_OPERATION_ERROR);
        bGets(isOperation ? LOC_QP_OP_ERR : LOC_LEN_ERR, 1);
        bGets(WR_FLUSH_ERR, 2);
        aSends(isOperation ? REM_OP_ERR : REM_INV_REQ_ERR, 3);
        aSends(WR_FLUSH_ERR, 4);
        assertBroken();
    }

    @Test
    void shouldFailLocallyWhenKeyIsUnknown()
    {
        assertLocalFailure(badKey(), Send.send(1, new Sge(aInfo.address(), 8, aRegion.lkey() + 1)));
    }

    @Test
    void shouldFailLocallyWhenRangeEndsAfterTheRegion()
    {
        final Region region = a.register(4096, 100, AccessFlags.ALL);
        assertLocalFailure(LOC_PROT_ERR, Send.send(1, region.sge(93, 8)));
    }

    @Test
    void shouldFailLocallyWhenRangeStartsBeforeTheRegion()
    {
        final Region region = a.register(4096, 100, AccessFlags.ALL);
        assertLocalFailure(LOC_PROT_ERR, Send.send(1, region.sge(-1, 8)));
    }

    @Test
    void shouldFailLocallyWhenKeyBelongsToAnotherDomain()
    {
        assertLocalFailure(badKey(), Send.send(1, a.registerForeign(0, 4096, AccessFlags.ALL).sge(0, 8)));
    }

    @Test
    void shouldFailLocallyWhenReadTargetIsReadOnly()
    {
        assertLocalFailure(LOC_PROT_ERR, Send.read(1, bRegion, 0, a.register(0, 4096, 0).sge(0, 8)));
    }

    @Test
    void shouldFailLocallyWhenRegionIsClosed()
    {
        final Region region = a.register(0, 4096, AccessFlags.ALL);
        a.deregister(region.id());
        assertLocalFailure(badKey(), Send.send(1, region.sge(0, 8)));
    }

    private void assertLocalFailure(final WorkCompletionStatus status, final Send send)
    {
        bReceives(Receive.of(9, bRegion.sge(0, 100)));
        aPosts(send.unsignaled());
        aSends(status, send.wrId());
        assertState(QueuePairState.ERR, a, aQp);
        // The peer is not affected.
        assertEquals(QueuePairState.RTS, b.state(bQp));
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldFailLocallyWhenAnAtomicIsNotEightBytes()
    {
        final Send send = Send.fetchAdd(1, bRegion, 0, 1, aRegion.sge(0, 4));
        if (has(Quirk.BAD_ATOMICS_ARE_NOT_POSTED))
        {
            assertEquals(new Posted(Errno.EINVAL, 0), a.postSend(aQp, List.of(send)));
            return;
        }
        aPosts(send);
        aSends(LOC_LEN_ERR, 1);
        assertState(QueuePairState.ERR, a, aQp);
    }

    @Test
    void shouldFailBothSidesWhenReceiveBufferIsInvalid()
    {
        bReceives(Receive.of(1, new Sge(bInfo.address(), 100, bRegion.lkey() + 1)), Receive.of(2));
        aPosts(Send.send(3, aRegion.sge(0, 100)));

        bGets(badKey(), 1);
        bGets(WR_FLUSH_ERR, 2);
        aSends(REM_OP_ERR, 3);
        assertBroken();
    }

    @Test
    void shouldFailBothSidesWhenReceiveBufferIsReadOnly()
    {
        bReceives(Receive.of(1, b.register(0, 4096, AccessFlags.REMOTE_READ).sge(0, 100)));
        aPosts(Send.send(3, aRegion.sge(0, 100)));

        bGets(badKey(), 1);
        aSends(REM_OP_ERR, 3);
        assertBroken();
    }

    @Test
    void shouldIgnoreInvalidEntryWhenMessageDoesNotReachIt()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 100), new Sge(1, 100, 0x7777)));
        aPosts(Send.send(3, aRegion.sge(0, 100)));

        bGets(SUCCESS, 1);
        aSends(SUCCESS, 3);
    }

    @Test
    void shouldRejectRemoteAccessWhenRangeEndsAfterTheRegion()
    {
        final Region region = b.register(4096, 100, AccessFlags.ALL);
        assertRemoteRefusal(Send.write(1, region, 93, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectRemoteAccessWhenRangeStartsBeforeTheRegion()
    {
        final Region region = b.register(4096, 100, AccessFlags.ALL);
        assertRemoteRefusal(Send.read(1, region, -1, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectRemoteAccessWhenRangeWrapsAround()
    {
        assertRemoteRefusal(Send.rdma(SendOpcode.RDMA_WRITE, 1, -4, bRegion.rkey(), aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectRemoteAccessWhenKeyIsUnknown()
    {
        assertRemoteRefusal(Send.rdma(SendOpcode.RDMA_WRITE, 1, bInfo.address(), bRegion.rkey() + 1,
            aRegion.sge(0, 8)));
    }

    @Test
    void shouldKeepReceiveWhenWriteWithImmediateIsRejected()
    {
        final Send send = Send.rdma(SendOpcode.RDMA_WRITE_WITH_IMM, 1, bInfo.address(), bRegion.rkey() + 1,
            aRegion.sge(0, 8));
        assertRemoteRefusal(send, REM_ACCESS_ERR,
            has(Quirk.REFUSED_IMMEDIATE_TAKES_A_RECEIVE) ? REM_ACCESS_ERR : WR_FLUSH_ERR);
    }

    @Test
    void shouldRejectRemoteAccessWhenKeyBelongsToAnotherDomain()
    {
        assertRemoteRefusal(Send.write(1, b.registerForeign(0, 4096, AccessFlags.ALL), 0, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectRemoteAccessWhenRegionIsClosed()
    {
        final Region region = b.register(0, 4096, AccessFlags.ALL);
        aPosts(Send.write(7, region, 0, aRegion.sge(0, 8)));
        aSends(SUCCESS, 7);
        b.deregister(region.id());
        // A new region in its place must not accept the old key.
        b.register(0, 4096, AccessFlags.ALL);

        assertRemoteRefusal(Send.write(1, region, 0, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectWriteWhenRegionLacksRemoteWrite()
    {
        final Region region = b.register(0, 4096, AccessFlags.ALL & ~AccessFlags.REMOTE_WRITE);
        assertRemoteRefusal(Send.write(1, region, 0, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectReadWhenRegionLacksRemoteRead()
    {
        final Region region = b.register(0, 4096, AccessFlags.ALL & ~AccessFlags.REMOTE_READ);
        assertRemoteRefusal(Send.read(1, region, 0, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectAtomicWhenRegionLacksRemoteAtomic()
    {
        final Region region = b.register(0, 4096, AccessFlags.ALL & ~AccessFlags.REMOTE_ATOMIC);
        assertRemoteRefusal(Send.fetchAdd(1, region, 0, 1, aRegion.sge(0, 8)));
    }

    @Test
    void shouldRejectRemoteAccessWhenQueuePairLacksAccessFlags()
    {
        reconnect(Tuning.DEFAULT.withAccess(AccessFlags.REMOTE_READ));
        aPosts(Send.read(5, bRegion, 0, aRegion.sge(0, 8)));
        aSends(SUCCESS, 5);

        assertRemoteRefusal(Send.write(1, bRegion, 0, aRegion.sge(0, 8)),
            has(Quirk.FORBIDDEN_BY_QUEUE_PAIR_IS_INVALID_REQUEST) ? REM_INV_REQ_ERR : REM_ACCESS_ERR, WR_FLUSH_ERR);
    }

    private void assertRemoteRefusal(final Send send)
    {
        assertRemoteRefusal(send, REM_ACCESS_ERR, WR_FLUSH_ERR);
    }

    private void assertRemoteRefusal(
        final Send send, final WorkCompletionStatus sendStatus, final WorkCompletionStatus receiveStatus)
    {
        b.putLong(0, 99);
        bReceives(Receive.of(9, bRegion.sge(0, 100)));
        aPosts(send.unsignaled());
        aSends(sendStatus, send.wrId());
        bGets(receiveStatus, 9);
        assertEquals(99, b.getLong(0));
        assertBroken();
        assertEvent(AsyncEventType.QP_ACCESS_ERR);
    }

    private void assertEvent(final AsyncEventType type)
    {
        if (has(Quirk.NO_RESPONDER_EVENTS))
        {
            assertNull(b.awaitAsync(NEVER_MS));
        }
        else
        {
            assertEquals(new Event(type, bQp), b.awaitAsync(SOON_MS));
        }
    }

    @Test
    void shouldRejectAtomicWhenMisaligned()
    {
        final Send send = Send.fetchAdd(1, bRegion, 4, 1, aRegion.sge(0, 8));
        if (has(Quirk.BAD_ATOMICS_ARE_NOT_POSTED))
        {
            assertEquals(new Posted(Errno.EINVAL, 0), a.postSend(aQp, List.of(send)));
            return;
        }
        aPosts(send);
        aSends(REM_INV_REQ_ERR, 1);
        assertBroken();
        assertEvent(AsyncEventType.QP_REQ_ERR);
    }

    @Test
    void shouldRejectReadsWhenNoReadResourcesAreGranted()
    {
        needs(Feature.LIMITED_READS);
        reconnect(Tuning.DEFAULT.withRdAtomic(0));
        aPosts(Send.read(1, bRegion, 0, aRegion.sge(0, 8)));
        if (has(Quirk.READS_WITHOUT_RESOURCES_WAIT))
        {
            assertEquals(List.of(), a.pollSends(1, NEVER_MS));
            return;
        }
        aSends(LOC_QP_OP_ERR, 1);
        assertState(QueuePairState.ERR, a, aQp);
    }

    @Test
    void shouldFailImmediatelyWhenNoReceiveAndNoRnrRetries()
    {
        reconnect(Tuning.DEFAULT.withRnr(0, 1));
        aPosts(Send.send(1, aRegion.sge(0, 8)).unsignaled());

        aSends(RNR_RETRY_EXC_ERR, 1);
        assertState(QueuePairState.ERR, a, aQp);
        assertEquals(QueuePairState.RTS, b.state(bQp));
    }

    @Test
    void shouldFailWhenRnrRetriesAreExhausted()
    {
        // Code 20 is 10.24 ms.
        reconnect(Tuning.DEFAULT.withRnr(3, 20));
        final long startNs = System.nanoTime();
        aPosts(Send.writeImm(1, 0, bRegion, 0, aRegion.sge(0, 8)));

        aSends(RNR_RETRY_EXC_ERR, 1);
        assertTrue(System.nanoTime() - startNs >= 3 * 10_240_000);
    }

    @Test
    void shouldDeliverWhenReceiveIsPostedBetweenRetries()
    {
        // Code 0 is 655 ms.
        reconnect(Tuning.DEFAULT.withRnr(6, 0));
        a.putLong(0, 5);
        aPosts(Send.send(1, aRegion.sge(0, 8)));
        assertEquals(List.of(), a.pollSends(1, NEVER_MS));

        bReceives(Receive.of(2, bRegion.sge(0, 8)));

        bGets(SUCCESS, 2);
        aSends(SUCCESS, 1);
        assertEquals(5, b.getLong(0));
    }

    @Test
    void shouldWaitWithoutLimitWhenRnrRetryIsSeven()
    {
        a.putLong(8, 6);
        aPosts(Send.send(1, aRegion.sge(0, 8)), Send.write(2, bRegion, 64, aRegion.sge(8, 8)));
        // Longer than the maximum of finite retries.
        assertEquals(List.of(), a.pollSends(2, 300));
        assertEquals(0, b.getLong(64));

        // No thread polls at a: the message must be sent nevertheless.
        bReceives(Receive.of(3, bRegion.sge(0, 8)));
        bGets(SUCCESS, 3);
        aSends(SUCCESS, 1);
        aSends(SUCCESS, 2);
        assertEquals(6, b.getLong(64));
    }

    @Test
    void shouldFlushInOrderWhenEnteringErrorState()
    {
        final List<Receive> receives = new ArrayList<>();
        for (int i = 0; i < 10; i++)
        {
            receives.add(Receive.of(100 + i));
            aPosts(Send.send(i, aRegion.sge(0, 8)).unsignaled());
        }
        assertEquals(Posted.ALL, a.postReceive(aQp, receives));

        a.toState(aQp, QueuePairState.ERR);

        final List<Completion> sends = a.pollSends(10, SOON_MS);
        final List<Completion> flushed = a.pollReceives(10, SOON_MS);
        for (int i = 0; i < 10; i++)
        {
            assertEquals(i, sends.get(i).wrId());
            assertEquals(WR_FLUSH_ERR, sends.get(i).status());
            assertEquals(100 + i, flushed.get(i).wrId());
            assertEquals(WR_FLUSH_ERR, flushed.get(i).status());
        }
    }

    @Test
    void shouldFlushRequestsWhenPostedInErrorState()
    {
        a.toState(aQp, QueuePairState.ERR);
        aPosts(Send.write(1, bRegion, 0, aRegion.sge(0, 8)).unsignaled());
        aReceives(Receive.of(2));

        aSends(WR_FLUSH_ERR, 1);
        if (has(Quirk.RECEIVES_IN_ERROR_ARE_NOT_FLUSHED))
        {
            // Unless the driver processes the queue pair once more.
            a.pollReceives(1, NEVER_MS).forEach((flushed) -> assertEquals(WR_FLUSH_ERR, flushed.status()));
            return;
        }
        assertEquals(WR_FLUSH_ERR, only(a.pollReceives(1, SOON_MS), 2).status());
    }

    @Test
    void shouldWorkWhenResetAndReconnected()
    {
        aPosts(Send.send(1, new Sge(0, 8, 0)), Send.send(2));
        aSends(badKey(), 1);
        reconnect(Tuning.DEFAULT);

        bReceives(Receive.of(3, bRegion.sge(0, 8)));
        aPosts(Send.send(4, aRegion.sge(0, 8)));

        if (has(Quirk.COMPLETIONS_OUTLIVE_RESET))
        {
            aSends(WR_FLUSH_ERR, 2);
        }
        // The reset drops flushed completions that were not polled.
        aSends(SUCCESS, 4);
        bGets(SUCCESS, 3);
    }

    @Test
    void shouldExhaustRetriesWhenPeerDoesNotExist()
    {
        reconnect(IMPATIENT);
        b.toState(bQp, QueuePairState.RESET);
        aPosts(Send.write(1, bRegion, 0, aRegion.sge(0, 8)).unsignaled(), Send.write(2, bRegion, 0));

        aSends(RETRY_EXC_ERR, 1);
        aSends(WR_FLUSH_ERR, 2);
        assertState(QueuePairState.ERR, a, aQp);
    }

    @Test
    void shouldExhaustRetriesWhenPeerQueuePairIsDestroyed()
    {
        reconnect(IMPATIENT);
        b.destroyQueuePair(bQp);
        aPosts(Send.write(1, bRegion, 0, aRegion.sge(0, 8)));
        aSends(RETRY_EXC_ERR, 1);
    }

    @Test
    void shouldNotRespondWhenSenderIsNotThePeer()
    {
        // From here on the peer is connected: before, DiSNI could not determine the target.
        aPosts(Send.write(2, bRegion, 0, aRegion.sge(0, 8)));
        aSends(SUCCESS, 2);
        final int other = a.createQueuePair();
        a.connect(other, bInfo, bQp, IMPATIENT);
        assertEquals(Posted.ALL, a.postSend(other, List.of(Send.write(1, bRegion, 0, aRegion.sge(0, 8)))));

        assertEquals(RETRY_EXC_ERR, aSent(1).status());
        assertEquals(QueuePairState.RTS, b.state(bQp));
    }

    @Test
    void shouldWriteNothingWhenRangeExceedsTheRegion()
    {
        b.putLong(0, 42);
        aPosts(Send.write(1, b.register(0, 4096, AccessFlags.ALL), 4092, aRegion.sge(0, 8)).and(SendFlags.SOLICITED));
        aSends(REM_ACCESS_ERR, 1);
        assertEquals(0, b.getLong(4088));
    }

    @Test
    void shouldReportAnOverrunOfTheCompletionQueue()
    {
        needs(Feature.ASYNC_EVENTS);
        final Node.Shape small = Node.Shape.DEFAULT.withSendCqDepth(4).withMaxSend(512);
        reopen(small, Node.Shape.DEFAULT);
        // A queue may be deeper than requested, but not this deep.
        for (int i = 0; i < 500 && a.state(aQp) == QueuePairState.RTS; i++)
        {
            a.postSend(aQp, List.of(Send.write(i, bRegion, 0, aRegion.sge(0, 8))));
        }

        final Event event = a.awaitAsync(SOON_MS);
        assertEquals(AsyncEventType.CQ_ERR, event.type());
        assertEquals(QueuePairState.RTS, b.state(bQp));
        if (!has(Quirk.OVERRUN_LOSES_COMPLETIONS_ONLY))
        {
            assertState(QueuePairState.ERR, a, aQp);
            assertEquals(new Event(AsyncEventType.QP_FATAL, aQp), a.awaitAsync(SOON_MS));
        }
        // Earlier completions are still there; after them, polling reports the loss.
        a.pollSends(512, NEVER_MS).forEach((completion) -> assertEquals(SUCCESS, completion.status()));
        assertTrue(a.sendCqErrno() < 0);
    }

    private void assertBroken()
    {
        assertState(QueuePairState.ERR, a, aQp);
        assertState(QueuePairState.ERR, b, bQp);
    }
}
