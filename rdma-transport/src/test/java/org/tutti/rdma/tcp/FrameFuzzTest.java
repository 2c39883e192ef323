/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.tutti.rdma.Device;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Fuzzes an established connection: whatever the peer sends, in whatever pieces, no exception occurs, memory changes
 * only where the peer may write, the peer gets only what it may read, and each request completes at most once, with a
 * status. The corpus is in the resources; CONTRIBUTING.md tells how to fuzz for minutes.
 */
class FrameFuzzTest
{
    private static final Shape SHAPE = Shape.DEFAULT.withMemory(StreamMemory.LENGTH);
    private static final int MANY = 1024;
    private static final int STEPS = 8;
    /** Fewer bytes than this never fill the buffer of a connection that waits for a receive. */
    private static final int BUFFER = 1 << 16;
    private static final Device DEVICE = new TcpProvider().devices().getLast();

    @FuzzTest(maxDuration = "5m")
    void shouldSurviveAnyStream(final byte[] input)
    {
        final ByteBuffer script = ByteBuffer.wrap(input);
        final int options = script.hasRemaining() ? script.get() : 0;
        final StreamContext context = new StreamContext(DEVICE, 1);
        try (LocalNode node = new LocalNode(() -> context))
        {
            final Info own = node.open(SHAPE);
            final StreamMemory memory = new StreamMemory(node, own);
            final int qpNum = node.createQueuePair();
            // A standard peer has no queue pair number.
            final int peerQpNum = (options & 4) == 0 ? 99 : 0;
            if ((options & 2) == 0)
            {
                node.connect(qpNum, own, peerQpNum, Tuning.DEFAULT);
            }
            else
            {
                node.listen(qpNum, own, peerQpNum, Tuning.DEFAULT);
            }
            final boolean isCrcUsed = (options & 1) == 0;
            final ScriptedChannel channel = new ScriptedChannel();
            assertTrue(context.establish(channel, isCrcUsed));
            final PeerScript peer = new PeerScript(
                script, node, context, channel, memory, new PeerFrames(isCrcUsed), qpNum);
            peer.run();
            end(context, channel, peer);
            check(node, qpNum, peer);
        }
    }

    /** Lets everything be read and written, and ends the stream. */
    private static void end(final StreamContext context, final ScriptedChannel channel, final PeerScript peer)
    {
        channel.permitWrites(Integer.MAX_VALUE);
        for (int i = 0; i < STEPS; i++)
        {
            peer.step(Integer.MAX_VALUE);
        }
        peer.readWritten();
        channel.end();
        for (int i = 0; i < STEPS; i++)
        {
            peer.step(Integer.MAX_VALUE);
        }
        assertFalse(channel.sentCount() < BUFFER && context.isConnected(), "a connection outlives its stream");
    }

    private static void check(final LocalNode node, final int qpNum, final PeerScript peer)
    {
        final List<Completion> sends = node.pollSends(MANY, 0);
        final List<Completion> receives = node.pollReceives(MANY, 0);
        final Set<Long> sent = ids(sends);
        final Set<Long> received = ids(receives);
        assertTrue(new HashSet<>(peer.sends()).containsAll(sent), "a request completes that was not posted");
        assertTrue(peer.receives().containsAll(received), "a receive completes that was not posted");
        if (node.state(qpNum) == QueuePairState.ERR)
        {
            assertEquals(peer.receives(), received, "receives are left in a queue pair in the error state");
        }
        final boolean isLost = sends.stream().anyMatch(completion -> !completion.isSuccess());
        assertEquals(isLost, isLost && node.state(qpNum) == QueuePairState.ERR, "a failure without the error state");
    }

    private static Set<Long> ids(final List<Completion> completions)
    {
        final Set<Long> ids = new HashSet<>();
        for (final Completion completion : completions)
        {
            assertTrue(ids.add(completion.wrId()), "a request completes twice");
        }
        return ids;
    }
}
