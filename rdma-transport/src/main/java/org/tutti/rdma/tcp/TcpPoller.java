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

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread of a context: makes its connections, by {@link Handshakes}, and serves them while no thread of the program
 * polls. While one polls, this thread only checks every {@value #BUSY_MS} ms whether it still does. A failure of one
 * connection fails its queue pair only; one of the selector or of the listening socket fails all, and the device.
 */
final class TcpPoller extends Thread implements WireNetwork
{
    private static final long TIMED_MS = 1;
    private static final long BUSY_MS = 5;
    private static final long IDLE_MS = 20;
    private static final long NS_PER_MS = 1_000_000L;

    private final TcpContext context;
    private final boolean acceptsStandardPeers;
    private final Selector selector;
    private final LingeringSockets lingering = new LingeringSockets();
    private final Handshakes handshakes;
    private final ListeningSocket listening;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private volatile WireTransport[] transports = {};
    private volatile boolean isStopped;
    /** Set by polling threads; reset here, and by those that stop. */
    private volatile boolean isPolled;
    /** Whether this thread waits for the connections, rather than only for the next check. */
    private volatile boolean isWatching;
    private boolean isFailed;

    /**
     * Creates the thread, and listens.
     *
     * @param context          context.
     * @param device           device of the context.
     * @param handshakeLimitNs time for a handshake in nanoseconds, greater than 0.
     */
    TcpPoller(final TcpContext context, final TcpDevice device, final long handshakeLimitNs)
    {
        super("tutti-tcp-" + device.name() + "-" + context.index());
        setDaemon(true);
        this.context = context;
        acceptsStandardPeers = device.acceptsStandardPeers();
        try
        {
            selector = Selector.open();
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, "ibv_open_device", "cannot open a selector: " + e);
        }
        handshakes = new Handshakes(device, selector, lingering, handshakeLimitNs);
        try
        {
            listening = new ListeningSocket(device, selector);
        }
        catch (final RuntimeException e)
        {
            closeSelector();
            throw e;
        }
    }

    int port()
    {
        return listening.port();
    }

    Selector selector()
    {
        return selector;
    }

    WireTransport[] transports()
    {
        return transports;
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

    /** Makes this thread wait for the connections from now on, because the calling thread stops polling. */
    void handOver()
    {
        isPolled = false;
        if (!isWatching)
        {
            selector.wakeup();
        }
    }

    @Override
    public void connect(final WireTransport transport)
    {
        synchronized (this)
        {
            transports = ArrayUtil.add(transports, transport);
        }
        run(() -> handshakes.connect(transport));
    }

    @Override
    public void reconnect(final WireTransport transport)
    {
        run(() -> handshakes.reconnect(transport));
    }

    @Override
    public void disconnect(final WireTransport transport)
    {
        synchronized (this)
        {
            transports = ArrayUtil.remove(transports, transport);
        }
        run(() -> handshakes.disconnect(transport));
    }

    @Override
    public void linger(final SocketChannel channel, final Runnable writer)
    {
        run(() -> lingering.add(channel.keyFor(selector), channel, writer));
    }

    @Override
    public boolean acceptsStandardPeers()
    {
        return acceptsStandardPeers;
    }

    @Override
    public void wake()
    {
        // Otherwise the next look is soon enough.
        if (isWatching && Thread.currentThread() != this)
        {
            selector.wakeup();
        }
    }

    /**
     * Runs a command in this thread, soon.
     *
     * @param command command; what it throws fails the device.
     */
    void run(final Runnable command)
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
                runCommands();
                if (isFailed)
                {
                    failAll();
                }
                else
                {
                    step();
                }
            }
            catch (final IOException | RuntimeException e)
            {
                isFailed = true;
                context.failDevice();
            }
        }
    }

    private void runCommands()
    {
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
        {
            command.run();
        }
    }

    /** Fails all queue pairs, and those that are connected later: nothing can be awaited any more. */
    private void failAll()
    {
        closeAll();
        for (final WireTransport transport : transports)
        {
            transport.abort();
        }
        LockSupport.parkNanos(IDLE_MS * NS_PER_MS);
    }

    private void step() throws IOException
    {
        // In this order: a thread that stops polling sets isPolled before it reads isWatching.
        isWatching = false;
        final boolean isBusy = isPolled;
        isPolled = false;
        isWatching = !isBusy;
        boolean isTimed = false;
        for (final WireTransport transport : transports)
        {
            isTimed |= transport.isTimed();
            watch(transport, isBusy);
        }
        selector.select(timeoutMs(isBusy, isTimed));
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
        final long nowNs = System.nanoTime();
        listening.advance(nowNs);
        handshakes.advance(nowNs);
        lingering.advance(nowNs);
    }

    private long timeoutMs(final boolean isBusy, final boolean isTimed)
    {
        final long nowNs = System.nanoTime();
        final long delayNs = Math.min(lingering.delayNs(),
            Math.min(handshakes.delayNs(nowNs), listening.delayNs(nowNs)));
        return Math.clamp(delayNs / NS_PER_MS + 1, 1, isTimed ? TIMED_MS : isBusy ? BUSY_MS : IDLE_MS);
    }

    private void serve(final SelectionKey key)
    {
        if (key.isValid())
        {
            switch (key.attachment())
            {
                case ListeningSocket socket -> socket.accept(handshakes);
                case Handshake handshake -> handshakes.advance(key, handshake);
                default ->
                {
                    // All connections, and sockets that linger, are looked after in each step.
                }
            }
        }
    }

    private void watch(final WireTransport transport, final boolean isBusy)
    {
        final SocketChannel channel = transport.channel();
        final SelectionKey key = channel == null ? null : channel.keyFor(selector);
        if (key == null || key.attachment() != transport)
        {
            return;
        }
        final int wanted = isBusy ? 0 : (transport.isTimed() ? 0 : SelectionKey.OP_READ) |
            (transport.isWriting() ? SelectionKey.OP_WRITE : 0);
        try
        {
            if (key.interestOps() != wanted)
            {
                key.interestOps(wanted);
            }
        }
        catch (final CancelledKeyException e)
        {
            // The channel is closed, which the next read reports.
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
        runCommands();
        closeAll();
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes all sockets but those of connections that a queue pair has. */
    private void closeAll()
    {
        listening.close();
        handshakes.close();
        lingering.close();
        closeSelector();
    }

    private void closeSelector()
    {
        try
        {
            selector.close();
        }
        catch (final IOException ignored)
        {
            // The descriptor is released in any case.
        }
    }
}
