/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Two nodes, a and b, with one connected queue pair each and all of their memory registered with all rights. */
@Timeout(60)
abstract class PairContract extends Contract
{
    /** Timeout for expected completions and events. */
    static final long SOON_MS = 10_000;
    /** Time to wait for completions and events that must not arrive. */
    static final long NEVER_MS = 30;

    Node a;
    Node b;
    Info aInfo;
    Info bInfo;
    Region aRegion;
    Region bRegion;
    int aQp;
    int bQp;

    @BeforeEach
    void openBoth()
    {
        a = newA();
        b = newB();
        open(Shape.DEFAULT, Shape.DEFAULT);
        connect(Tuning.DEFAULT);
    }

    @AfterEach
    void closeBoth()
    {
        a.close();
        b.close();
    }

    void reopen(final Shape aShape, final Shape bShape)
    {
        closeBoth();
        open(aShape, bShape);
        connect(Tuning.DEFAULT);
    }

    private void open(final Shape aShape, final Shape bShape)
    {
        aInfo = a.open(aShape);
        bInfo = b.open(bShape);
        aRegion = a.register(0, aInfo.length(), AccessFlags.ALL);
        bRegion = b.register(0, bInfo.length(), AccessFlags.ALL);
        aQp = a.createQueuePair();
        bQp = b.createQueuePair();
    }

    void connect(final Tuning tuning)
    {
        a.connect(aQp, bInfo, bQp, tuning);
        b.connect(bQp, aInfo, aQp, tuning);
    }

    void reconnect(final Tuning tuning)
    {
        a.toState(aQp, QueuePairState.RESET);
        b.toState(bQp, QueuePairState.RESET);
        connect(tuning);
    }

    void aPosts(final Send... sends)
    {
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(sends)));
    }

    void bPosts(final Send... sends)
    {
        assertEquals(Posted.ALL, b.postSend(bQp, List.of(sends)));
    }

    void aReceives(final Receive... receives)
    {
        assertEquals(Posted.ALL, a.postReceive(aQp, List.of(receives)));
    }

    void bReceives(final Receive... receives)
    {
        assertEquals(Posted.ALL, b.postReceive(bQp, List.of(receives)));
    }

    /** The only completion, which must be of the request with that ID. */
    static Completion only(final List<Completion> completions, final long wrId)
    {
        assertEquals(1, completions.size(), completions::toString);
        assertEquals(wrId, completions.getFirst().wrId(), completions::toString);
        return completions.getFirst();
    }

    Completion aSent(final long wrId)
    {
        return only(a.pollSends(1, SOON_MS), wrId);
    }

    Completion bReceived(final long wrId)
    {
        return only(b.pollReceives(1, SOON_MS), wrId);
    }

    void aSends(final WorkCompletionStatus status, final long wrId)
    {
        final Completion completion = aSent(wrId);
        assertEquals(status, completion.status(), completion::toString);
        assertEquals(aQp, completion.qpNum());
    }

    void bGets(final WorkCompletionStatus status, final long wrId)
    {
        final Completion completion = bReceived(wrId);
        assertEquals(status, completion.status(), completion::toString);
        assertEquals(bQp, completion.qpNum());
    }

    /** The status of a request with an invalid local key. */
    WorkCompletionStatus badKey()
    {
        return has(Quirk.BAD_KEY_IS_OPERATION_ERROR) ? WorkCompletionStatus.LOC_QP_OP_ERR :
            WorkCompletionStatus.LOC_PROT_ERR;
    }

    static void assertState(final QueuePairState expected, final Node node, final int qpNum)
    {
        final long deadlineNs = System.nanoTime() + SOON_MS * 1_000_000;
        while (node.state(qpNum) != expected && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(10_000);
        }
        assertEquals(expected, node.state(qpNum));
    }

    static byte[] bytes(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
