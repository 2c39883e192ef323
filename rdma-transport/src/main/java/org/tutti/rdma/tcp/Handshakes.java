/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.tcp.stream.Incarnation;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the connections of a context. Of two queue pairs, the one with the lower address, port and number connects, and
 * tries again until it succeeds or is reset: work requests that wait meanwhile time out. An MPA request whose queue
 * pair is not ready is kept. Those of an earlier incarnation of the peer give way to those of a later one. Connections
 * that have not proved that they know the secret have limited time, and only {@link #MAX_STRANGERS} of them are kept:
 * each further one takes the place of the oldest, so that they cannot keep out peers, which send their request at once.
 * The requests of standard peers, if these are accepted, are given in order to the queue pairs that wait for such a
 * peer. Used by the poller's thread only.
 */
final class Handshakes
{
    /** Time for a handshake, in nanoseconds. */
    static final long LIMIT_NS = 5_000_000_000L;
    static final int MAX_STRANGERS = 64;

    private final TcpDevice device;
    private final Selector selector;
    private final LingeringSockets lingering;
    private final long limitNs;
    private final Proof proof;
    /** By queue pair number, in the order of the calls of {@link #connect}. */
    private final Map<Integer, PendingConnection> pending = new LinkedHashMap<>();
    /** The oldest first. */
    private final List<Handshake> handshakes = new ArrayList<>();

    /**
     * Begins without any connection.
     *
     * @param device    device.
     * @param selector  selector of the poller's thread.
     * @param lingering takes over the sockets of handshakes that failed.
     * @param limitNs   time for a handshake in nanoseconds, greater than 0.
     */
    Handshakes(
        final TcpDevice device, final Selector selector, final LingeringSockets lingering, final long limitNs)
    {
        this.device = device;
        this.selector = selector;
        this.lingering = lingering;
        this.limitNs = limitNs;
        proof = new Proof(device.secret());
    }

    /**
     * Connects the present incarnation of a queue pair, or waits for its peer to connect.
     *
     * @param transport transport of the queue pair.
     */
    void connect(final WireTransport transport)
    {
        final Incarnation incarnation = transport.incarnation();
        if (incarnation != null)
        {
            disconnect(transport);
            final PendingConnection next = new PendingConnection(transport, incarnation);
            pending.put(transport.here().qpNum(), next);
            begin(next);
        }
    }

    /**
     * Connects a queue pair once more, after a short delay.
     *
     * @param transport transport of the queue pair.
     */
    void reconnect(final WireTransport transport)
    {
        final PendingConnection again = pending.get(transport.here().qpNum());
        if (again != null && again.transport() == transport && again.isCurrent())
        {
            again.schedule();
        }
    }

    /**
     * Ends the handshakes of a queue pair.
     *
     * @param transport transport of the queue pair.
     */
    void disconnect(final WireTransport transport)
    {
        final PendingConnection ended = pending.get(transport.here().qpNum());
        if (ended != null && ended.transport() == transport)
        {
            pending.remove(transport.here().qpNum());
        }
        endAll(transport);
    }

    private void endAll(final WireTransport transport)
    {
        for (final Handshake handshake : List.copyOf(handshakes))
        {
            if (handshake.transport() == transport)
            {
                end(handshake);
            }
        }
    }

    /**
     * Begins a handshake with a peer that has connected.
     *
     * @param channel channel of the connection, owned by this object from now on.
     */
    void accept(final SocketChannel channel)
    {
        final List<Handshake> strangers = handshakes.stream().filter(Handshake::isStranger).toList();
        if (strangers.size() >= MAX_STRANGERS)
        {
            end(strangers.getFirst());
        }
        try
        {
            Sockets.prepare(channel, device.options());
            final Handshake handshake = Handshake.ofStranger(
                channel, proof, device.isCrcUsed(), device.acceptsStandardPeers());
            channel.register(selector, SelectionKey.OP_READ, handshake);
            handshakes.add(handshake);
        }
        catch (final IOException e)
        {
            // The peer has closed the connection, and tries again.
            Sockets.close(channel);
        }
    }

    private void begin(final PendingConnection next)
    {
        next.begin();
        if (!next.isCurrent() || !next.transport().isExpecting())
        {
            return;
        }
        if (next.isConnector())
        {
            endAll(next.transport());
            dial(next);
            return;
        }
        for (final Handshake handshake : List.copyOf(handshakes))
        {
            if (handshake.isHeld())
            {
                answer(handshake);
            }
        }
    }

    private void dial(final PendingConnection next)
    {
        final PrivateData.Place peer = next.incarnation().peer();
        SocketChannel channel = null;
        try
        {
            channel = SocketChannel.open();
            Sockets.prepare(channel, device.options());
            channel.bind(new InetSocketAddress(device.address(), 0));
            Sockets.setKernelOptions(channel, device.options());
            final boolean isConnected = channel.connect(new InetSocketAddress(address(peer), peer.port()));
            final Handshake handshake = Handshake.of(channel, proof, device.isCrcUsed(), next);
            final SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, handshake);
            handshakes.add(handshake);
            if (isConnected)
            {
                advance(key, handshake);
            }
        }
        catch (final IOException e)
        {
            Sockets.close(channel);
            next.transport().attemptFailed(isRefusal(e));
            next.schedule();
        }
        catch (final RuntimeException e)
        {
            // Such an address cannot be connected to, now or later.
            Sockets.close(channel);
            next.transport().abort();
        }
    }

    private static boolean isRefusal(final IOException e)
    {
        return e instanceof ConnectException || e instanceof NoRouteToHostException;
    }

    private InetAddress address(final PrivateData.Place peer) throws UnknownHostException
    {
        // Java converts a mapped IPv4 address. A link-local address is that of a peer in this interface's network.
        final InetAddress address = InetAddress.getByAddress(peer.gid().bytes());
        return address.isLinkLocalAddress() && device.address() instanceof final Inet6Address own ?
            Inet6Address.getByAddress(null, address.getAddress(), own.getScopeId()) : address;
    }

    /**
     * Continues a handshake.
     *
     * @param key       key of its socket.
     * @param handshake the handshake.
     */
    void advance(final SelectionKey key, final Handshake handshake)
    {
        try
        {
            final boolean isDone = handshake.advance();
            key.interestOps(handshake.interestOps());
            if (!isDone)
            {
                return;
            }
            if (handshake.isHeld())
            {
                if (isLatest(handshake))
                {
                    answer(handshake);
                }
                return;
            }
            finish(key, handshake);
        }
        catch (final IOException e)
        {
            drop(handshake);
            if (handshake.transport() != null)
            {
                handshake.transport().attemptFailed(isRefusal(e));
            }
            retry(handshake);
        }
        catch (final RuntimeException e)
        {
            drop(handshake);
            if (handshake.transport() != null)
            {
                handshake.transport().abort();
            }
        }
    }

    /**
     * Compares a new request with the earlier ones of the same peer, and ends what is out of date: of two incarnations
     * the earlier; and a repeated request, which is a copy, as every handshake has a nonce of its own.
     */
    private boolean isLatest(final Handshake handshake)
    {
        final PrivateData request = handshake.request();
        for (final Handshake other : List.copyOf(handshakes))
        {
            final PrivateData earlier = other.request();
            if (other == handshake || earlier == null || !earlier.from().equals(request.from()) ||
                !earlier.to().equals(request.to()))
            {
                continue;
            }
            if (earlier.incarnation() > request.incarnation() || Arrays.equals(earlier.nonce(), request.nonce()))
            {
                end(handshake);
                return false;
            }
            if (earlier.incarnation() < request.incarnation())
            {
                end(other);
            }
        }
        return true;
    }

    /** Accepts a request if the queue pair that it names, or any for a standard peer, expects this peer. */
    private void answer(final Handshake handshake)
    {
        final PrivateData request = handshake.request();
        final PendingConnection found = request.from().isStandard() ? findStandard(request) :
            pending.get(request.to().qpNum());
        if (found != null && found.isExpecting(request))
        {
            handshake.accept(found);
            advance(handshake.channel().keyFor(selector), handshake);
        }
    }

    /** Finds the first queue pair that expects a standard peer, and is not being connected to another one. */
    private PendingConnection findStandard(final PrivateData request)
    {
        for (final PendingConnection each : pending.values())
        {
            if (each.isExpecting(request) &&
                handshakes.stream().noneMatch((handshake) -> handshake.transport() == each.transport()))
            {
                return each;
            }
        }
        return null;
    }

    private void finish(final SelectionKey key, final Handshake handshake)
    {
        final WireTransport transport = handshake.transport();
        if (!handshake.finish(key))
        {
            end(handshake);
            retry(handshake);
            return;
        }
        handshakes.remove(handshake);
        endAll(transport);
        pending.get(transport.here().qpNum()).succeeded();
    }

    /** Tries again at the connecting side: the peer may be about to listen. */
    private void retry(final Handshake handshake)
    {
        if (!handshake.isAccepting())
        {
            reconnect(handshake.transport());
            if (handshake.isUnanswered())
            {
                handshake.changeRevision();
            }
        }
    }

    /** Ends a handshake that this side does not want any more. */
    private void end(final Handshake handshake)
    {
        if (!handshake.isAnswered())
        {
            drop(handshake);
            return;
        }
        handshakes.remove(handshake);
        handshake.terminate();
        lingering.add(handshake.channel().keyFor(selector), handshake.channel(), handshake::writeRest);
    }

    private void drop(final Handshake handshake)
    {
        handshakes.remove(handshake);
        Sockets.close(handshake.channel());
    }

    /**
     * Tries again what is due, and ends what is late.
     *
     * @param nowNs time by {@link System#nanoTime}.
     */
    void advance(final long nowNs)
    {
        for (final PendingConnection each : List.copyOf(pending.values()))
        {
            if (each.delayNs(nowNs) <= 0)
            {
                begin(each);
            }
        }
        for (final Handshake handshake : List.copyOf(handshakes))
        {
            if (nowNs - handshake.startNs() > limitNs)
            {
                end(handshake);
                retry(handshake);
            }
        }
    }

    /**
     * The time until {@link #advance(long)} has something to do.
     *
     * @param nowNs time by {@link System#nanoTime}.
     * @return delay in nanoseconds; {@link Long#MAX_VALUE} if nothing waits.
     */
    long delayNs(final long nowNs)
    {
        long delayNs = Long.MAX_VALUE;
        for (final PendingConnection each : pending.values())
        {
            delayNs = Math.min(delayNs, each.delayNs(nowNs));
        }
        return handshakes.isEmpty() ? delayNs :
            Math.min(delayNs, handshakes.getFirst().startNs() + limitNs - nowNs);
    }

    /** Closes the sockets of all handshakes. */
    void close()
    {
        handshakes.forEach((handshake) -> Sockets.close(handshake.channel()));
        handshakes.clear();
    }
}
