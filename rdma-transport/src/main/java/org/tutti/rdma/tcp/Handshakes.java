/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the connections of a context: listens, connects, tries again, and runs the handshakes. Of two queue pairs, the
 * one with the lower address, port and number connects. Strangers that connect get {@link Handshake#LIMIT_NS}, and only
 * {@link #MAX_STRANGERS} at a time. Used by the poller's thread only.
 */
final class Handshakes
{
    static final int MAX_STRANGERS = 64;

    private static final int BACKLOG = 256;
    private static final long RETRY_NS = 5_000_000L;
    private static final long PAUSE_NS = 1_000_000L;

    /** A connection to be tried again. */
    private record Retry(WireTransport transport, long startNs)
    {
    }

    private final TcpDevice device;
    private final Selector selector;
    private final Proof proof;
    private final ServerSocketChannel server;
    private final int port;
    private final List<WireTransport> wanted = new ArrayList<>();
    private final List<Handshake> handshakes = new ArrayList<>();
    private final List<Retry> retries = new ArrayList<>();

    /**
     * Listens on the address of a device.
     *
     * @param device   device.
     * @param selector selector of the poller's thread.
     * @throws RdmaException with ENODEV if the address cannot be used.
     */
    Handshakes(final TcpDevice device, final Selector selector)
    {
        this.device = device;
        this.selector = selector;
        proof = new Proof(device.secret());
        try
        {
            server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(device.address(), 0), BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            port = ((InetSocketAddress)server.getLocalAddress()).getPort();
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, "ibv_open_device",
                "cannot listen on " + device.address().getHostAddress() + " of " + device.name() + ": " + e);
        }
    }

    /** The port that peers connect to. */
    int port()
    {
        return port;
    }

    /** Whether {@link #advance} is to be called soon. */
    boolean isTimed()
    {
        return !handshakes.isEmpty() || !retries.isEmpty();
    }

    /**
     * Connects a queue pair, or waits for its peer to connect.
     *
     * @param transport transport of the queue pair.
     */
    void connect(final WireTransport transport)
    {
        if (!wanted.contains(transport))
        {
            wanted.add(transport);
        }
        begin(transport);
    }

    /**
     * Connects a queue pair once more, after a short delay.
     *
     * @param transport transport of the queue pair.
     */
    void reconnect(final WireTransport transport)
    {
        retry(transport, transport.peer());
    }

    /**
     * Gives up connecting a queue pair.
     *
     * @param transport transport of the queue pair.
     */
    void disconnect(final WireTransport transport)
    {
        wanted.remove(transport);
    }

    /**
     * Serves a selected socket, unless it is one of an established connection.
     *
     * @param key key of the socket.
     */
    void serve(final SelectionKey key)
    {
        if (key.channel() == server)
        {
            accept();
        }
        else if (key.attachment() instanceof Handshake handshake)
        {
            advance(key, handshake);
        }
    }

    private void accept()
    {
        try
        {
            for (SocketChannel channel = server.accept(); channel != null; channel = server.accept())
            {
                if (handshakes.stream().filter(Handshake::isAccepting).count() >= MAX_STRANGERS)
                {
                    Sockets.close(channel);
                    continue;
                }
                Sockets.prepare(channel);
                final Handshake handshake = new Handshake(channel, proof, device.isCrcUsed(), null);
                handshakes.add(handshake);
                channel.register(selector, SelectionKey.OP_READ, handshake);
            }
        }
        catch (final IOException e)
        {
            // The peer gave up, or descriptors are exhausted: the peer tries again.
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private boolean isWanted(final WireTransport transport, final PrivateData.Place peer)
    {
        return peer != null && peer.equals(transport.peer()) && wanted.contains(transport);
    }

    private void begin(final WireTransport transport)
    {
        final PrivateData.Place peer = transport.peer();
        if (!isWanted(transport, peer))
        {
            return;
        }
        if (transport.here().compareTo(peer) < 0)
        {
            dial(transport, peer);
            return;
        }
        for (final Handshake handshake : List.copyOf(handshakes))
        {
            answer(handshake);
        }
    }

    private void dial(final WireTransport transport, final PrivateData.Place peer)
    {
        SocketChannel channel = null;
        try
        {
            channel = SocketChannel.open();
            Sockets.prepare(channel);
            channel.bind(new InetSocketAddress(device.address(), 0));
            final Handshake handshake = new Handshake(channel, proof, device.isCrcUsed(), transport);
            handshakes.add(handshake);
            final boolean isConnected = channel.connect(new InetSocketAddress(address(peer), peer.port()));
            final SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, handshake);
            if (isConnected)
            {
                connected(key, handshake);
            }
        }
        catch (final IOException e)
        {
            final SocketChannel failed = channel;
            handshakes.removeIf(handshake -> handshake.channel() == failed);
            Sockets.close(failed);
            retry(transport, peer);
        }
    }

    private static InetAddress address(final PrivateData.Place peer) throws UnknownHostException
    {
        // Java converts a mapped IPv4 address.
        return InetAddress.getByAddress(peer.gid().bytes());
    }

    /** Tries again until the requests of the queue pair time out: the peer may be about to listen. */
    private void retry(final WireTransport transport, final PrivateData.Place peer)
    {
        if (isWanted(transport, peer) && transport.isExpecting())
        {
            retries.add(new Retry(transport, System.nanoTime()));
        }
    }

    private void connected(final SelectionKey key, final Handshake handshake)
    {
        handshake.connected();
        key.interestOps(SelectionKey.OP_READ);
        advance(key, handshake);
    }

    private void advance(final SelectionKey key, final Handshake handshake)
    {
        try
        {
            if (key.isConnectable())
            {
                if (!handshake.channel().finishConnect())
                {
                    return;
                }
                handshake.connected();
                key.interestOps(SelectionKey.OP_READ);
            }
            if (!handshake.advance())
            {
                return;
            }
            if (handshake.request() != null)
            {
                // Until its queue pair is ready, nothing more is read.
                key.interestOps(0);
                answer(handshake);
                return;
            }
            handshakes.remove(handshake);
            key.interestOps(0);
            if (!handshake.finish(key))
            {
                Sockets.close(handshake.channel());
            }
        }
        catch (final IOException e)
        {
            drop(handshake);
        }
    }

    private void drop(final Handshake handshake)
    {
        handshakes.remove(handshake);
        Sockets.close(handshake.channel());
        if (!handshake.isAccepting())
        {
            retry(handshake.transport(), handshake.transport().peer());
        }
    }

    /** Accepts a request if the queue pair that it names expects this peer. */
    private void answer(final Handshake handshake)
    {
        final PrivateData request = handshake.request();
        if (request == null)
        {
            return;
        }
        for (final WireTransport transport : wanted)
        {
            if (transport.here().equals(request.to()) && request.from().equals(transport.peer()) &&
                request.from().compareTo(request.to()) < 0 && transport.isExpecting())
            {
                handshake.accept(transport);
                final SelectionKey key = handshake.channel().keyFor(selector);
                key.interestOps(SelectionKey.OP_READ);
                advance(key, handshake);
                return;
            }
        }
    }

    /** Tries again what is due, and gives up what is late. */
    void advance()
    {
        final long nowNs = System.nanoTime();
        for (final Retry retry : List.copyOf(retries))
        {
            if (nowNs - retry.startNs > RETRY_NS)
            {
                retries.remove(retry);
                begin(retry.transport);
            }
        }
        for (final Handshake handshake : List.copyOf(handshakes))
        {
            if (handshake.isLate(nowNs) ||
                (!handshake.isAccepting() && !isWanted(handshake.transport(), handshake.transport().peer())))
            {
                drop(handshake);
            }
        }
    }
}
