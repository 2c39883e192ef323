/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.agrona.collections.ArrayUtil;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.tcp.stream.WireNetwork;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the connections of a context, and serves them while no thread of the program polls. While one does, this thread
 * only looks once a millisecond whether it still does. Of two queue pairs, the one with the lower address, port and
 * number connects. Strangers that connect get {@link Handshake#LIMIT_NS}, and only {@link #MAX_STRANGERS} at a time.
 */
final class TcpPoller extends Thread implements WireNetwork
{
    static final int MAX_STRANGERS = 64;

    private static final int BACKLOG = 256;
    private static final long TICK_MS = 1;
    private static final long IDLE_MS = 20;
    private static final long RETRY_NS = 5_000_000L;
    private static final long LINGER_NS = 2_000_000_000L;
    private static final long PAUSE_NS = 10_000_000L;

    /** A connection that ended. */
    private record Lingering(SocketChannel channel, Runnable writer, long startNs)
    {
    }

    /** A connection to be tried again. */
    private record Retry(WireTransport transport, long startNs)
    {
    }

    private final TcpContext context;
    private final TcpDevice device;
    private final Proof proof;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final int port;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<Handshake> handshakes = new ArrayList<>();
    private final List<Lingering> lingering = new ArrayList<>();
    private final List<Retry> retries = new ArrayList<>();
    private final ByteBuffer discarded = ByteBuffer.allocateDirect(1 << 16);
    private volatile WireTransport[] transports = {};
    private volatile boolean isStopped;
    /** Set by polling threads, and reset here: no more than a hint. */
    private boolean isPolled;

    TcpPoller(final TcpContext context, final TcpDevice device)
    {
        super("tutti-tcp-" + device.name() + "-" + context.index());
        setDaemon(true);
        this.context = context;
        this.device = device;
        proof = new Proof(device.secret());
        try
        {
            selector = Selector.open();
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

    int port()
    {
        return port;
    }

    /** Serves all connections; called by a polling thread. */
    void progress()
    {
        if (!isPolled)
        {
            isPolled = true;
        }
        for (final WireTransport transport : transports)
        {
            transport.tryProgress();
        }
    }

    @Override
    public void connect(final WireTransport transport)
    {
        synchronized (this)
        {
            transports = ArrayUtil.add(transports, transport);
        }
        run(() -> begin(transport));
    }

    @Override
    public void reconnect(final WireTransport transport)
    {
        run(() -> retry(transport, transport.peer()));
    }

    @Override
    public void disconnect(final WireTransport transport)
    {
        synchronized (this)
        {
            transports = ArrayUtil.remove(transports, transport);
        }
    }

    @Override
    public void linger(final SocketChannel channel, final Runnable writer)
    {
        run(() ->
        {
            final Lingering ended = new Lingering(channel, writer, System.nanoTime());
            final SelectionKey key = channel.keyFor(selector);
            if (key == null || !key.isValid())
            {
                close(channel);
                return;
            }
            key.attach(ended);
            lingering.add(ended);
        });
    }

    @Override
    public void wake()
    {
        if (Thread.currentThread() != this)
        {
            selector.wakeup();
        }
    }

    private void run(final Runnable command)
    {
        commands.add(command);
        selector.wakeup();
    }

    @Override
    public void run()
    {
        while (!isStopped)
        {
            try
            {
                step();
            }
            catch (final IOException | RuntimeException e)
            {
                // One connection must not stop the others; threads that post or poll get its error.
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private void step() throws IOException
    {
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
        {
            command.run();
        }
        final boolean isBusy = isPolled;
        isPolled = false;
        boolean isTimed = !lingering.isEmpty() || !handshakes.isEmpty() || !retries.isEmpty();
        for (final WireTransport transport : transports)
        {
            isTimed |= transport.isTimed();
            watch(transport, isBusy);
        }
        selector.select(isBusy || isTimed ? TICK_MS : IDLE_MS);
        for (final SelectionKey key : selector.selectedKeys())
        {
            serve(key);
        }
        selector.selectedKeys().clear();
        if (!isBusy || isTimed)
        {
            for (final WireTransport transport : transports)
            {
                transport.tryProgress();
            }
        }
        context.attend();
        context.flushReceives();
        closeLate();
    }

    private void watch(final WireTransport transport, final boolean isBusy)
    {
        final SocketChannel channel = transport.channel();
        final SelectionKey key = channel == null ? null : channel.keyFor(selector);
        if (key != null && key.isValid() && key.attachment() == transport)
        {
            final int wanted = isBusy ? 0 : (transport.isTimed() ? 0 : SelectionKey.OP_READ) |
                (transport.isWriting() ? SelectionKey.OP_WRITE : 0);
            if (key.interestOps() != wanted)
            {
                key.interestOps(wanted);
            }
        }
    }

    private void serve(final SelectionKey key)
    {
        if (!key.isValid())
        {
            return;
        }
        if (key.isAcceptable())
        {
            accept();
        }
        else if (key.attachment() instanceof Handshake handshake)
        {
            advance(key, handshake);
        }
        else if (key.attachment() instanceof Lingering ended)
        {
            drain(ended);
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
                    close(channel);
                    continue;
                }
                prepare(channel);
                final Handshake handshake = new Handshake(channel, proof, device.isCrcUsed(), null);
                handshakes.add(handshake);
                channel.register(selector, SelectionKey.OP_READ, handshake);
            }
        }
        catch (final IOException e)
        {
            // The peer gave up, or descriptors are exhausted: the peer tries again.
            LockSupport.parkNanos(TICK_MS);
        }
    }

    private static void prepare(final SocketChannel channel) throws IOException
    {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    private boolean isWanted(final WireTransport transport, final PrivateData.Place peer)
    {
        return peer != null && peer.equals(transport.peer()) && Arrays.asList(transports).contains(transport);
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
            prepare(channel);
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
            close(failed);
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
                close(handshake.channel());
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
        close(handshake.channel());
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
        for (final WireTransport transport : transports)
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

    private void drain(final Lingering ended)
    {
        try
        {
            ended.writer.run();
            int count = 1;
            while (count > 0)
            {
                count = ended.channel.read(discarded.clear());
            }
            if (count == 0)
            {
                return;
            }
        }
        catch (final IOException e)
        {
            // The peer has closed the connection, too.
        }
        lingering.remove(ended);
        close(ended.channel);
    }

    private void closeLate()
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
        for (final Lingering ended : List.copyOf(lingering))
        {
            drain(ended);
            if (nowNs - ended.startNs > LINGER_NS)
            {
                lingering.remove(ended);
                close(ended.channel);
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

    private static void close(final SocketChannel channel)
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ignored)
            {
                // The descriptor is released in any case.
            }
        }
    }

    /** Stops the thread and closes all sockets. */
    void shutdown()
    {
        isStopped = true;
        selector.wakeup();
        boolean isInterrupted = false;
        while (isAlive())
        {
            try
            {
                join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
        {
            command.run();
        }
        lingering.forEach(ended -> ended.writer.run());
        try
        {
            for (final SelectionKey key : selector.keys())
            {
                key.channel().close();
            }
            selector.close();
        }
        catch (final IOException ignored)
        {
            // The descriptors are released in any case.
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
