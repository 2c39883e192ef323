/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.tcp.stream.HandshakeResult;
import org.tutti.rdma.tcp.stream.Incarnation;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.MpaFrame;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;
import org.tutti.rdma.tcp.wire.ReadLimits;
import org.tutti.rdma.tcp.wire.Terminate;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;

/**
 * The start of a connection on one side: MPA request and reply with a {@link PrivateData} each, then a confirmation of
 * the connecting side, as the first SEND (see {@link Proof}). Nothing else is read from the socket. Once this side has
 * replied or confirmed, it ends a connection that it does not want by a TERMINATE, so that the peer can tell that from
 * a failure. With a standard peer, there are only request and reply, without private data. Used by the poller's
 * thread only.
 */
final class Handshake
{
    /** Length of the confirmation: a frame whose length needs no pad. */
    private static final int CONFIRMATION = Fpdu.UNTAGGED_HEADER + Proof.SIZE + Fpdu.CRC_SIZE;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What the handshake waits for. */
    private enum Awaited
    {
        /** At the connecting side, for the connection. */
        CONNECTION,
        /** At the connecting side, for the reply. */
        REPLY,
        /** At the accepting side, for the request. */
        REQUEST,
        /** At the accepting side, for the queue pair that the request names. */
        QUEUE_PAIR,
        /** At the accepting side, for the confirmation. */
        CONFIRMATION,
        /** Until the last bytes are written. */
        NOTHING
    }

    private final SocketChannel channel;
    private final Proof proof;
    private final boolean isCrcUsed;
    private final boolean isAccepting;
    private final boolean acceptsStandardPeers;
    private final long startNs = System.nanoTime();
    private final ByteBuffer in = ByteBuffer.allocateDirect(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
    private final ByteBuffer out = ByteBuffer.allocateDirect(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
    private final byte[] nonce = new byte[PrivateData.NONCE];
    private Awaited awaited;
    private PendingConnection pending;
    private PrivateData hello;
    /** The revision and limits of a standard peer's frame; null if it has no limits. */
    private int peerRevision;
    private ReadLimits peerLimits;
    private boolean isPeerCrcUsed;
    private boolean isEnded;

    private Handshake(final SocketChannel channel, final Proof proof, final boolean isCrcUsed,
        final boolean isAccepting, final boolean acceptsStandardPeers)
    {
        this.channel = channel;
        this.proof = proof;
        this.isCrcUsed = isCrcUsed;
        this.isAccepting = isAccepting;
        this.acceptsStandardPeers = acceptsStandardPeers;
        awaited = isAccepting ? Awaited.REQUEST : Awaited.CONNECTION;
        RANDOM.nextBytes(nonce);
        in.limit(MpaFrame.HEADER);
        out.limit(0);
    }

    /**
     * Begins a handshake at the accepting side.
     *
     * @param channel   non-blocking channel, owned by the handshake until it is done.
     * @param proof     proofs by the secret.
     * @param isCrcUsed whether this side wants CRCs.
     * @param acceptsStandardPeers whether requests of standard peers are accepted, too.
     * @return the handshake.
     */
    static Handshake ofStranger(final SocketChannel channel, final Proof proof, final boolean isCrcUsed,
        final boolean acceptsStandardPeers)
    {
        return new Handshake(channel, proof, isCrcUsed, true, acceptsStandardPeers);
    }

    /**
     * Begins a handshake at the connecting side.
     *
     * @param channel   non-blocking channel that is being connected, owned by the handshake until it is done.
     * @param proof     proofs by the secret.
     * @param isCrcUsed whether this side wants CRCs.
     * @param pending   queue pair to connect.
     * @return the handshake.
     */
    static Handshake of(
        final SocketChannel channel, final Proof proof, final boolean isCrcUsed, final PendingConnection pending)
    {
        final Handshake handshake = new Handshake(channel, proof, isCrcUsed, false, false);
        handshake.pending = pending;
        return handshake;
    }

    SocketChannel channel()
    {
        return channel;
    }

    long startNs()
    {
        return startNs;
    }

    /** The queue pair to connect, or null as long as a request has not been accepted. */
    WireTransport transport()
    {
        return pending == null ? null : pending.transport();
    }

    boolean isAccepting()
    {
        return isAccepting;
    }

    /** Whether the peer has not proved yet that it knows the secret, and has no queue pair. */
    boolean isStranger()
    {
        return awaited == Awaited.REQUEST || (isHeld() && hello.from().isStandard());
    }

    /** Whether a request waits for its queue pair. */
    boolean isHeld()
    {
        return awaited == Awaited.QUEUE_PAIR;
    }

    /** Whether the peer may regard the connection as established, and expects a TERMINATE at its end. */
    boolean isAnswered()
    {
        return (awaited == Awaited.CONFIRMATION || awaited == Awaited.NOTHING) && !isStandard();
    }

    /** Whether no byte of the reply of a standard peer has arrived. */
    boolean isUnanswered()
    {
        return awaited == Awaited.REPLY && isStandard() && in.position() == 0;
    }

    /** Uses the other revision of MPA in the next attempt. */
    void changeRevision()
    {
        pending.changeRevision();
    }

    private boolean isStandard()
    {
        return pending != null && pending.incarnation().isStandard();
    }

    /** The request of the peer, or null if there is none yet, or at the connecting side. */
    PrivateData request()
    {
        return isAccepting ? hello : null;
    }

    /** Accepts the request for a queue pair. */
    void accept(final PendingConnection found)
    {
        pending = found;
        if (isStandard())
        {
            putStandard(peerRevision, peerLimits == null ? null : peerLimits.reply(transport().readLimits()));
            awaited = Awaited.NOTHING;
            return;
        }
        put("reply", hello.nonce(), nonce);
        in.clear().limit(CONFIRMATION);
        awaited = Awaited.CONFIRMATION;
    }

    /** Puts a frame without private data, enhanced if there are limits. */
    private void putStandard(final int revision, final ReadLimits limits)
    {
        out.clear();
        if (limits == null)
        {
            MpaFrame.putBasic(out, !isAccepting, isCrcUsed(), revision);
        }
        else
        {
            MpaFrame.put(out, !isAccepting, isCrcUsed(), limits, new byte[0]);
        }
        out.flip();
    }

    private void put(final String name, final byte[]... nonces)
    {
        final Incarnation incarnation = pending.incarnation();
        final PrivateData.Place here = transport().here();
        final PrivateData.Place peer = incarnation.peer();
        final byte[] own = isAccepting ? proof.of(name, peer, here, incarnation.psn(), incarnation.number(), nonces) :
            proof.of(name, here, peer, incarnation.psn(), incarnation.number(), nonces);
        out.clear();
        MpaFrame.put(out, !isAccepting, isCrcUsed, ReadLimits.MAXIMUM,
            new PrivateData(here, peer, incarnation.psn(), incarnation.number(), nonce, own).encoded());
        out.flip();
    }

    /**
     * Continues as far as possible now.
     *
     * @return true if the handshake is done, or its request is complete and waits for the queue pair.
     * @throws IOException if the peer closed the connection or sent anything unexpected.
     */
    boolean advance() throws IOException
    {
        if (awaited == Awaited.CONNECTION)
        {
            if (!channel.finishConnect())
            {
                return false;
            }
            if (isStandard())
            {
                putStandard(pending.revision(), pending.revision() == 1 ? null : transport().readLimits());
            }
            else
            {
                put("request", nonce);
            }
            awaited = Awaited.REPLY;
        }
        writeOut();
        while (awaited != Awaited.NOTHING && receive())
        {
            if (awaited == Awaited.QUEUE_PAIR)
            {
                return true;
            }
        }
        return awaited == Awaited.NOTHING && !out.hasRemaining();
    }

    /** What the selector is to wait for, after {@link #advance}. */
    int interestOps()
    {
        return awaited == Awaited.CONNECTION ? SelectionKey.OP_CONNECT :
            SelectionKey.OP_READ | (out.hasRemaining() ? SelectionKey.OP_WRITE : 0);
    }

    private void writeOut() throws IOException
    {
        if (out.hasRemaining())
        {
            channel.write(out);
        }
    }

    /** Receives the next frame, or a part of it; false if more bytes must come first. */
    private boolean receive() throws IOException
    {
        if (awaited == Awaited.QUEUE_PAIR)
        {
            // Nothing may follow a request before the reply: what can be read is the end.
            in.clear().limit(1);
        }
        if (channel.read(in) < 0)
        {
            throw new IOException("closed by the peer");
        }
        if (awaited == Awaited.QUEUE_PAIR && in.position() > 0)
        {
            throw new IOException("more than a request");
        }
        if (awaited != Awaited.CONFIRMATION && awaited != Awaited.QUEUE_PAIR &&
            !MpaFrame.isPlausible(in, in.position(), awaited == Awaited.REQUEST))
        {
            throw new IOException("not an MPA frame");
        }
        if (in.hasRemaining())
        {
            return false;
        }
        if (awaited == Awaited.CONFIRMATION)
        {
            checkConfirmation();
            awaited = Awaited.NOTHING;
        }
        else if (in.position() < MpaFrame.length(in))
        {
            in.limit(MpaFrame.length(in));
        }
        else
        {
            receiveFrame();
        }
        return true;
    }

    private void receiveFrame() throws IOException
    {
        final PrivateData received =
            MpaFrame.isRejected(in) ? null : PrivateData.decode(MpaFrame.privateData(in));
        isPeerCrcUsed = MpaFrame.isCrcUsed(in);
        if (received == null || isStandard())
        {
            receiveStandard();
            return;
        }
        if (isAccepting)
        {
            check("request", received, received.from(), received.to(), received.nonce());
            hello = received;
            awaited = Awaited.QUEUE_PAIR;
            return;
        }
        if (!received.from().equals(pending.incarnation().peer()) || !received.to().equals(transport().here()))
        {
            throw new IOException("another queue pair replied");
        }
        check("reply", received, received.to(), received.from(), nonce, received.nonce());
        hello = received;
        confirm();
        awaited = Awaited.NOTHING;
        writeOut();
    }

    /** Handles a request or reply without Tutti's private data; any other data of a standard peer is ignored. */
    private void receiveStandard() throws IOException
    {
        if (MpaFrame.isRejected(in) || !(acceptsStandardPeers || isStandard()))
        {
            throw new IOException("not a Tutti peer, or rejected");
        }
        peerRevision = MpaFrame.revision(in);
        peerLimits = MpaFrame.readLimits(in);
        if (isAccepting)
        {
            hello = PrivateData.ofStandardPeer(
                place(channel.getRemoteAddress()), place(channel.getLocalAddress()));
        }
        awaited = isAccepting ? Awaited.QUEUE_PAIR : Awaited.NOTHING;
    }

    private static PrivateData.Place place(final SocketAddress address)
    {
        final InetSocketAddress socket = (InetSocketAddress)address;
        return new PrivateData.Place(TcpDevice.gid(socket.getAddress()), socket.getPort(), 0);
    }

    private void check(final String name, final PrivateData received, final PrivateData.Place connector,
        final PrivateData.Place acceptor, final byte[]... nonces) throws IOException
    {
        if (!Proof.isSame(received.proof(),
            proof.of(name, connector, acceptor, received.psn(), received.incarnation(), nonces)))
        {
            throw new IOException("wrong proof");
        }
    }

    private void confirm()
    {
        final Incarnation incarnation = pending.incarnation();
        out.compact();
        putConfirmation(proof.of("confirm", transport().here(), incarnation.peer(), incarnation.psn(),
            incarnation.number(), nonce, hello.nonce()));
    }

    private void putConfirmation(final byte[] own)
    {
        final long frame = MemorySegment.ofBuffer(out).address();
        Fpdu.putUntagged(frame, Fpdu.SEND, true, Fpdu.SEND_QUEUE, 1, 0, Proof.SIZE);
        out.put(out.position() + Fpdu.UNTAGGED_HEADER, own);
        finishFrame(frame, Fpdu.UNTAGGED_HEADER + Proof.SIZE);
    }

    /** Appends the CRC of a frame whose length needs no pad. */
    private void finishFrame(final long frame, final int length)
    {
        final int start = out.position();
        final Checksum checksum = new Checksum(isCrcUsed());
        checksum.reset();
        checksum.add(out.duplicate().limit(start + length));
        Fpdu.putCrc(frame + length, checksum.value());
        out.position(start + length + Fpdu.CRC_SIZE).flip();
    }

    private void checkConfirmation() throws IOException
    {
        final byte[] received = new byte[CONFIRMATION];
        in.get(0, received);
        // A peer can confirm only once it has the whole reply, so this buffer is free.
        out.clear();
        putConfirmation(proof.of("confirm", pending.incarnation().peer(), transport().here(), hello.psn(),
            hello.incarnation(), hello.nonce(), nonce));
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
        key.interestOps(0);
        key.attach(transport());
        return transport().established(channel, pending.incarnation(), isStandard() ?
            new HandshakeResult(
                isCrcUsed(), isAccepting, 1, 1, 0, peerLimits == null ? ReadLimits.MAX : peerLimits.answered()) :
            new HandshakeResult(
                isCrcUsed(), isAccepting, isAccepting ? 1 : 2, isAccepting ? 2 : 1, hello.psn(), ReadLimits.MAX));
    }

    /** Appends a TERMINATE to what is to be written, by {@link #writeRest}: nothing was executed. */
    void terminate()
    {
        out.compact();
        final long frame = MemorySegment.ofBuffer(out).address();
        Fpdu.putUntagged(frame, Fpdu.TERMINATE, true, Fpdu.TERMINATE_QUEUE, 1, 0, Terminate.SIZE);
        Terminate.put(frame + Fpdu.UNTAGGED_HEADER, Terminate.CLOSED, 0);
        finishFrame(frame, Fpdu.UNTAGGED_HEADER + Terminate.SIZE);
    }

    /** Writes what can be written now, and the end of the stream behind it. */
    void writeRest()
    {
        try
        {
            writeOut();
            if (!out.hasRemaining() && !isEnded)
            {
                isEnded = true;
                channel.shutdownOutput();
            }
        }
        catch (final IOException e)
        {
            // The peer has closed the connection, too.
            out.limit(out.position());
            isEnded = true;
        }
    }
}
