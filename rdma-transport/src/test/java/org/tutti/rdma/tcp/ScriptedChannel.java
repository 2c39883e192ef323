/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Set;

/**
 * A connected socket whose other side is the test: it gives the bytes that the test sent, at most as many as the test
 * permits, and takes at most as many as the test permits. Used by one thread.
 */
final class ScriptedChannel extends SocketChannel
{
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private byte[] incoming = new byte[1 << 12];
    private boolean isBroken;
    /** Bytes that were sent and read, and are kept no more. */
    private int forgotten;
    private int sent;
    private int taken;
    private int readable;
    private int writable = Integer.MAX_VALUE;
    private boolean isEnded;
    private boolean isReset;
    private int readCalls;

    ScriptedChannel()
    {
        super(SelectorProvider.provider());
    }

    /** Sends bytes to the side under test, which gets them once {@link #permitReads} covers them. */
    void send(final byte[] bytes)
    {
        if (taken == sent)
        {
            forgotten += sent;
            sent = 0;
            taken = 0;
        }
        if (sent + bytes.length > incoming.length)
        {
            incoming = Arrays.copyOf(incoming, Math.max(2 * incoming.length, sent + bytes.length));
        }
        System.arraycopy(bytes, 0, incoming, sent, bytes.length);
        sent += bytes.length;
    }

    void permitReads(final int count)
    {
        readable = (int)Math.min(Integer.MAX_VALUE, (long)readable + count);
    }

    void permitWrites(final int count)
    {
        writable = count;
    }

    /** Ends the stream behind the bytes sent so far. */
    void end()
    {
        isEnded = true;
    }

    /** Breaks the connection now. */
    void reset()
    {
        isReset = true;
    }

    /** The bytes that the side under test has written. */
    byte[] written()
    {
        return written.toByteArray();
    }

    /** The number of calls that read bytes. */
    int readCalls()
    {
        return readCalls;
    }

    /** The number of bytes that the test has sent. */
    int sentCount()
    {
        return forgotten + sent;
    }

    int writtenCount()
    {
        return written.size();
    }

    /** From now on, reads throw what no channel should throw, as a programming error would. */
    void breakReads()
    {
        isBroken = true;
    }

    private void check() throws IOException
    {
        if (!isOpen())
        {
            throw new ClosedChannelException();
        }
        if (isReset)
        {
            throw new IOException("connection reset by the test");
        }
    }

    private int readNext(final ByteBuffer target) throws IOException
    {
        check();
        if (isBroken)
        {
            throw new IllegalStateException("broken on purpose");
        }
        if (taken == sent && isEnded)
        {
            return -1;
        }
        final int count = Math.min(Math.min(target.remaining(), sent - taken), readable);
        target.put(incoming, taken, count);
        taken += count;
        readable -= count;
        return count;
    }

    @Override
    public int read(final ByteBuffer target) throws IOException
    {
        final int count = readNext(target);
        readCalls += count > 0 ? 1 : 0;
        return count;
    }

    @Override
    public long read(final ByteBuffer[] targets, final int offset, final int length) throws IOException
    {
        long total = 0;
        for (int i = offset; i < offset + length; i++)
        {
            final int count = readNext(targets[i]);
            if (count < 0)
            {
                return total == 0 ? -1 : total;
            }
            total += count;
            if (targets[i].hasRemaining())
            {
                break;
            }
        }
        readCalls += total > 0 ? 1 : 0;
        return total;
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        check();
        final int count = Math.min(source.remaining(), writable);
        final byte[] bytes = new byte[count];
        source.get(bytes);
        written.writeBytes(bytes);
        writable -= count;
        return count;
    }

    @Override
    public long write(final ByteBuffer[] sources, final int offset, final int length) throws IOException
    {
        long total = 0;
        for (int i = offset; i < offset + length; i++)
        {
            total += write(sources[i]);
            if (sources[i].hasRemaining())
            {
                break;
            }
        }
        return total;
    }

    @Override
    protected void implCloseSelectableChannel()
    {
        // Nothing to close.
    }

    @Override
    protected void implConfigureBlocking(final boolean block)
    {
        // Never blocks.
    }

    @Override
    public SocketChannel shutdownInput()
    {
        return this;
    }

    @Override
    public SocketChannel shutdownOutput()
    {
        return this;
    }

    @Override
    public boolean isConnected()
    {
        return true;
    }

    @Override
    public boolean isConnectionPending()
    {
        return false;
    }

    @Override
    public boolean connect(final SocketAddress remote)
    {
        return true;
    }

    @Override
    public boolean finishConnect()
    {
        return true;
    }

    @Override
    public SocketChannel bind(final SocketAddress local)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> SocketChannel setOption(final SocketOption<T> name, final T value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getOption(final SocketOption<T> name)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return Set.of();
    }

    @Override
    public Socket socket()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getRemoteAddress()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getLocalAddress()
    {
        throw new UnsupportedOperationException();
    }
}
