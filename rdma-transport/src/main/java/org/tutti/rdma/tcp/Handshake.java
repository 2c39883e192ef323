/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.MpaFrame;
import org.tutti.rdma.tcp.wire.Proof;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;

/**
 * The start of a connection on one side: MPA request and reply with a {@link PrivateData} each, then a confirmation of
 * the connecting side, as the first SEND (see {@link Proof}). Nothing else is read from the socket. Used by the
 * poller's thread only.
 */
final class Handshake
{
    /** Time for a handshake, in nanoseconds. */
    static final long LIMIT_NS = 5_000_000_000L;
    /** Length of the confirmation: a frame whose length needs no pad. */
    private static final int CONFIRMATION = Fpdu.UNTAGGED_HEADER + Proof.SIZE + Fpdu.CRC_SIZE;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SocketChannel channel;
    private final Proof proof;
    private final boolean isCrcUsed;
    private final long startNs = System.nanoTime();
    private final ByteBuffer in = ByteBuffer.allocateDirect(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
    private final ByteBuffer out = ByteBuffer.allocateDirect(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
    private final byte[] nonce = new byte[PrivateData.NONCE];
    private WireTransport transport;
    private PrivateData.Place peer;
    private PrivateData hello;
    private boolean isAccepted;
    private boolean isConfirming;
    private boolean isDone;
    private boolean isPeerCrcUsed;

    /**
     * Begins a handshake.
     *
     * @param channel   non-blocking channel, owned by this object until it is done.
     * @param proof     proofs by the secret.
     * @param isCrcUsed whether this side wants CRCs.
     * @param transport transport to connect, or null on the accepting side.
     */
    Handshake(
        final SocketChannel channel, final Proof proof, final boolean isCrcUsed, final WireTransport transport)
    {
        this.channel = channel;
        this.proof = proof;
        this.isCrcUsed = isCrcUsed;
        this.transport = transport;
        peer = transport == null ? null : transport.peer();
        RANDOM.nextBytes(nonce);
        in.limit(MpaFrame.HEADER);
        out.limit(0);
    }

    WireTransport transport()
    {
        return transport;
    }

    boolean isAccepting()
    {
        return isAccepted || transport == null;
    }

    SocketChannel channel()
    {
        return channel;
    }

    boolean isLate(final long nowNs)
    {
        return nowNs - startNs > LIMIT_NS;
    }

    /** Whether a request is complete and the queue pair that it names is to be found. */
    PrivateData request()
    {
        return transport == null ? hello : null;
    }

    /** The peer's request was accepted by a queue pair. */
    void accept(final WireTransport found)
    {
        transport = found;
        peer = found.peer();
        isAccepted = true;
        final byte[] own = proof.of("reply", peer, found.here(), found.psn(), hello.nonce(), nonce);
        out.clear();
        MpaFrame.put(out, false, isCrcUsed, false,
            new PrivateData(found.here(), peer, found.psn(), nonce, own).encoded());
        out.flip();
        in.clear().limit(CONFIRMATION);
        isConfirming = true;
    }

    /** The connection is established: the request goes out. */
    void connected()
    {
        final byte[] own = proof.of("request", transport.here(), peer, transport.psn(), nonce);
        out.clear();
        MpaFrame.put(out, true, isCrcUsed, false,
            new PrivateData(transport.here(), peer, transport.psn(), nonce, own).encoded());
        out.flip();
    }

    /**
     * Continues.
     *
     * @return true when the handshake is done, or a request is complete.
     * @throws IOException if the peer closed the connection or sent anything unexpected.
     */
    boolean advance() throws IOException
    {
        if (out.hasRemaining())
        {
            channel.write(out);
        }
        if (isDone)
        {
            return !out.hasRemaining();
        }
        while (true)
        {
            final int count = channel.read(in);
            if (count < 0)
            {
                throw new IOException("closed by the peer");
            }
            if (!isConfirming && !MpaFrame.isPlausible(in, in.position(), transport == null))
            {
                throw new IOException("not an MPA frame");
            }
            if (in.hasRemaining())
            {
                return false;
            }
            if (isConfirming)
            {
                checkConfirmation();
                isDone = true;
                return true;
            }
            if (in.position() == MpaFrame.HEADER)
            {
                in.limit(MpaFrame.length(in));
                continue;
            }
            return isFrameDone();
        }
    }

    private boolean isFrameDone() throws IOException
    {
        hello = MpaFrame.isRejected(in) ? null : PrivateData.decode(MpaFrame.privateData(in));
        isPeerCrcUsed = MpaFrame.isCrcUsed(in);
        if (hello == null)
        {
            throw new IOException("not a Tutti peer, or rejected");
        }
        if (transport == null)
        {
            check("request", hello.from(), hello.to(), hello.nonce());
            return true;
        }
        if (!hello.from().equals(peer) || !hello.to().equals(transport.here()))
        {
            throw new IOException("another queue pair replied");
        }
        check("reply", hello.to(), hello.from(), nonce, hello.nonce());
        confirm();
        isDone = true;
        return !out.hasRemaining();
    }

    private void check(final String step, final PrivateData.Place connector, final PrivateData.Place acceptor,
        final byte[]... nonces) throws IOException
    {
        if (!Proof.isSame(hello.proof(), proof.of(step, connector, acceptor, hello.psn(), nonces)))
        {
            throw new IOException("wrong proof");
        }
    }

    private void confirm() throws IOException
    {
        putConfirmation(out, proof.of("confirm", transport.here(), peer, transport.psn(), nonce, hello.nonce()));
        channel.write(out);
    }

    private void putConfirmation(final ByteBuffer buffer, final byte[] own)
    {
        buffer.clear();
        final long frame = MemorySegment.ofBuffer(buffer).address();
        Fpdu.putUntagged(frame, Fpdu.SEND, true, Fpdu.SEND_QUEUE, 1, 0, Proof.SIZE);
        buffer.position(Fpdu.UNTAGGED_HEADER).put(own);
        final Checksum checksum = new Checksum(isCrcUsed());
        checksum.reset();
        checksum.add(buffer.flip());
        Fpdu.putCrc(frame + CONFIRMATION - Fpdu.CRC_SIZE, checksum.value());
        buffer.limit(CONFIRMATION).position(0);
    }

    private void checkConfirmation() throws IOException
    {
        final byte[] received = new byte[CONFIRMATION];
        in.get(0, received);
        // A peer can confirm only once it has the whole reply, so this buffer is free.
        putConfirmation(out, proof.of("confirm", peer, transport.here(), hello.psn(), hello.nonce(), nonce));
        final byte[] expected = new byte[CONFIRMATION];
        out.get(expected);
        if (!Proof.isSame(received, expected))
        {
            throw new IOException("wrong confirmation");
        }
    }

    private boolean isCrcUsed()
    {
        return isCrcUsed || isPeerCrcUsed;
    }

    /**
     * Hands the connection to the queue pair.
     *
     * @param key key of the channel, which gets the transport as attachment.
     * @return false if the queue pair does not want it any more.
     */
    boolean finish(final SelectionKey key)
    {
        key.attach(transport);
        return transport.established(channel, peer, isCrcUsed(), isAccepted ? 1 : 2, isAccepted ? 2 : 1);
    }
}
