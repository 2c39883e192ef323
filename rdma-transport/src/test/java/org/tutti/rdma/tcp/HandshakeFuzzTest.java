/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.tutti.rdma.Device;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;
import org.tutti.rdma.tcp.wire.MpaFrame;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Fuzzes the start of a connection: arbitrary frames are refused by an IOException and nothing else, and between two
 * peers that know the secret, no changed byte is accepted that the proofs cover, in whatever pieces the bytes arrive.
 */
class HandshakeFuzzTest
{
    private static final Device DEVICE = new TcpProvider().devices().getLast();
    private static final Proof PROOF = new Proof(new byte[16]);
    private static final Shape SHAPE = new Shape(16, 4, 4, 1, 0, false, false, 4096);
    /** Bytes that the peer may change: flags, numbers of reads, and the unused ones of both places. */
    private static final Set<Integer> FREE = Set.of(16, 20, 21, 22, 23, 50, 51, 74, 75);
    private static final int CRC_FLAG = 0x40;

    /** One side of a handshake. */
    private static final class Side implements AutoCloseable
    {
        private final StreamContext context;
        private final LocalNode node;
        private final int qpNum;
        private final ScriptedChannel channel = new ScriptedChannel();
        private Handshake handshake;
        private int forwarded;
        private boolean isChanged;

        Side(final int lid)
        {
            context = new StreamContext(DEVICE, lid);
            node = new LocalNode(() -> context);
            node.open(SHAPE);
            qpNum = node.createQueuePair();
        }

        void expect(final Side peer)
        {
            final PrivateData.Place place = peer.context.transport().here();
            node.connect(qpNum, new Info("", place.gid().high(), place.gid().low(), place.port(), 0, 0, 0, 0),
                peer.qpNum, Tuning.DEFAULT);
        }

        /** What the side expects. */
        PendingConnection pending()
        {
            return new PendingConnection(context.transport(), context.transport().incarnation());
        }

        /** Lets the side write. */
        boolean advance()
        {
            try
            {
                return handshake.advance();
            }
            catch (final IOException e)
            {
                throw new AssertionError(e);
            }
        }

        /** Gives the side bytes in pieces; true if its handshake is done. */
        boolean receive(final byte[] bytes, final ByteBuffer script) throws IOException
        {
            channel.send(bytes);
            for (int left = bytes.length; left > 0; )
            {
                final int piece = Math.min(left, 1 + (script.hasRemaining() ? script.get() & 0xFF : left));
                channel.permitReads(piece);
                left -= piece;
                final boolean isDone = handshake.advance();
                if (isDone && handshake.isHeld())
                {
                    assertEquals(0, left, "a request is complete before its last byte");
                    handshake.accept(pending());
                    handshake.advance();
                }
                else if (isDone)
                {
                    assertEquals(0, left, "a handshake is done before its last byte");
                    return true;
                }
            }
            return false;
        }

        /** The bytes that the side has written since the last call. */
        byte[] sent()
        {
            final byte[] all = channel.written();
            final byte[] next = Arrays.copyOfRange(all, forwarded, all.length);
            forwarded = all.length;
            return next;
        }

        @Override
        public void close()
        {
            node.close();
        }
    }

    @FuzzTest(maxDuration = "5m")
    void shouldAcceptNoChangedHandshake(final byte[] input)
    {
        final ByteBuffer script = ByteBuffer.wrap(input);
        final int options = script.hasRemaining() ? script.get() : 0;
        try (Side connector = new Side(1); Side acceptor = new Side(2))
        {
            connector.expect(acceptor);
            acceptor.expect(connector);
            connector.handshake =
                Handshake.of(connector.channel, PROOF, (options & 1) == 0, connector.pending());
            acceptor.handshake = Handshake.ofStranger(acceptor.channel, PROOF, (options & 2) == 0, false);
            assertFalse(connector.advance());
            if (deliver(connector, acceptor, script, FREE) && deliver(acceptor, connector, script, FREE))
            {
                deliver(connector, acceptor, script, Set.of());
            }
        }
    }

    /** Delivers what one side sent, with the script's changes; true if the other side accepts it. */
    private static boolean deliver(
        final Side from, final Side to, final ByteBuffer script, final Set<Integer> free)
    {
        final byte[] right = from.sent();
        final byte[] bytes = right.clone();
        final int changes = script.hasRemaining() ? script.get() & 3 : 0;
        for (int i = 0; i < changes && script.remaining() > 1; i++)
        {
            bytes[(script.get() & 0xFF) % bytes.length] = script.get();
        }
        // Once a free byte was changed, the sides may disagree on CRCs.
        from.isChanged |= !Arrays.equals(bytes, right);
        to.isChanged |= from.isChanged;
        boolean isRight = true;
        for (int i = 0; i < bytes.length; i++)
        {
            isRight &= bytes[i] == right[i] || free.contains(i);
        }
        try
        {
            // A side that accepts a request replies to it.
            final boolean isAccepted = to.receive(bytes, script) || to.channel.writtenCount() > to.forwarded;
            assertTrue(isRight || !isAccepted, "a changed handshake is accepted");
            assertTrue(isAccepted || to.isChanged, "a right handshake is not accepted");
            return isAccepted;
        }
        catch (final IOException e)
        {
            assertTrue(to.isChanged, () -> "a right handshake is refused: " + e);
            return false;
        }
    }

    @FuzzTest(maxDuration = "5m")
    void shouldRefuseAnyOtherFrame(final byte[] input)
    {
        final ByteBuffer script = ByteBuffer.wrap(input);
        final boolean isRequest = script.hasRemaining() && (script.get() & 1) == 0;
        final byte[] bytes = new byte[script.remaining()];
        script.get(bytes);
        checkParsers(bytes, isRequest);
        try (Side side = new Side(1); Side other = new Side(2))
        {
            side.expect(other);
            side.handshake = isRequest ? Handshake.ofStranger(side.channel, PROOF, true, false) :
                Handshake.of(side.channel, PROOF, true, side.pending());
            assertFalse(side.receive(bytes, ByteBuffer.allocate(0)), "a handshake without a proof is done");
            assertEquals(null, side.handshake.request(), "a request without a proof is accepted");
        }
        catch (final IOException e)
        {
            // Refused, as it must be.
        }
    }

    private static void checkParsers(final byte[] bytes, final boolean isRequest)
    {
        final ByteBuffer frame = ByteBuffer.wrap(Arrays.copyOf(bytes, MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA));
        if (bytes.length >= MpaFrame.HEADER && MpaFrame.isPlausible(frame, bytes.length, isRequest))
        {
            assertTrue(MpaFrame.length(frame) <= MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
            PrivateData.decode(MpaFrame.privateData(frame));
            assertEquals((bytes[16] & CRC_FLAG) != 0, MpaFrame.isCrcUsed(frame));
        }
        final PrivateData decoded = PrivateData.decode(bytes);
        if (decoded != null)
        {
            assertEquals(bytes.length, decoded.encoded().length);
        }
    }
}
