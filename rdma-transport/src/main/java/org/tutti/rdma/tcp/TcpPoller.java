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
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread of a context: makes its connections, by {@link Handshakes}, and serves them while no thread of the program
 * polls. While one does, this thread only looks once a millisecond whether it still does.
 */
final class TcpPoller extends Thread implements WireNetwork
{
    private static final long TICK_MS = 1;
    private static final long IDLE_MS = 20;
    private static final long PAUSE_NS = 10_000_000L;

    private final TcpContext context;
    private final Selector selector;
    private final Handshakes handshakes;
    private final LingeringSockets lingering = new LingeringSockets();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private volatile WireTransport[] transports = {};
    private volatile boolean isStopped;
    /** Set by polling threads, and reset here: no more than a hint. */
    private boolean isPolled;

    TcpPoller(final TcpContext context, final TcpDevice device)
    {
        super("tutti-tcp-" + device.name() + "-" + context.index());
        setDaemon(true);
        this.context = context;
        try
        {
            selector = Selector.open();
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, "ibv_open_device", "cannot open a selector: " + e);
        }
        try
        {
            handshakes = new Handshakes(device, selector);
        }
        catch (final RuntimeException e)
        {
            closeAll();
            throw e;
        }
    }

    int port()
    {
        return handshakes.port();
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
        boolean isTimed = !lingering.isEmpty() || handshakes.isTimed();
        for (final WireTransport transport : transports)
        {
            isTimed |= transport.isTimed();
            watch(transport, isBusy);
        }
        selector.select(isBusy || isTimed ? TICK_MS : IDLE_MS);
        for (final SelectionKey key : selector.selectedKeys())
        {
            if (key.isValid())
            {
                handshakes.serve(key);
            }
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
        handshakes.advance();
        lingering.advance();
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
        lingering.finish();
        closeAll();
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll()
    {
        for (final SelectionKey key : selector.keys())
        {
            Sockets.close(key.channel());
        }
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
