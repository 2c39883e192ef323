/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.contract.Node;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.MpaFrame;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;
import org.tutti.rdma.tcp.wire.ReadLimits;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A blocking socket that is connected to a context, and what it may say. */
final class RawPeer implements AutoCloseable
{
    static final long VALUE = 0x0102_0304_0506_0708L;

    private static final PeerFrames FRAMES = new PeerFrames(true);

    private final Socket socket;

    RawPeer(final TcpDevice device, final int port) throws IOException
    {
        this(new Socket(device.address(), port));
    }

    /** A connection that the context has opened. */
    RawPeer(final Socket socket) throws IOException
    {
        this.socket = socket;
        socket.setSoTimeout((int)TcpPair.PATIENCE_MS);
    }

    /** Encodes a request for a connection. */
    static byte[] request(final byte[] secret, final PrivateData.Place from, final PrivateData.Place to,
        final long incarnation, final byte[] nonce)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
        final byte[] proof = new Proof(secret).of("request", from, to, 0, incarnation, nonce);
        MpaFrame.put(buffer, true, true, ReadLimits.MAXIMUM,
            new PrivateData(from, to, 0, incarnation, nonce, proof).encoded());
        final byte[] bytes = new byte[buffer.flip().limit()];
        buffer.get(bytes);
        return bytes;
    }

    static byte[] nonce(final int value)
    {
        final byte[] nonce = new byte[PrivateData.NONCE];
        nonce[0] = (byte)value;
        return nonce;
    }

    /** Encodes a valid write of {@link #VALUE} to the begin of a region. */
    static byte[] write(final Node.Region region)
    {
        final byte[] payload = ByteBuffer.allocate(Long.BYTES).putLong(VALUE).array();
        return FRAMES.sealed(FRAMES.tagged(Fpdu.WRITE, true, region.rkey(), region.address(), payload), 0);
    }

    /** Encodes a confirmation. */
    static byte[] confirmation(final byte[] proof)
    {
        return FRAMES.sealed(FRAMES.untagged(Fpdu.SEND, true, 1, 0, proof), 0);
    }

    void send(final byte[] bytes) throws IOException
    {
        socket.getOutputStream().write(bytes);
    }

    /** Receives a reply; throws if the context closes the connection instead. */
    PrivateData reply() throws IOException
    {
        return PrivateData.decode(
            MpaFrame.privateData(ByteBuffer.wrap(receive(MpaFrame.HEADER + ReadLimits.SIZE + PrivateData.SIZE))));
    }

    /** Receives bytes; throws if the context closes the connection before. */
    byte[] receive(final int length) throws IOException
    {
        final byte[] bytes = new byte[length];
        new DataInputStream(socket.getInputStream()).readFully(bytes);
        return bytes;
    }

    /** The number of bytes that have arrived. */
    int available() throws IOException
    {
        return socket.getInputStream().available();
    }

    /** Receives a frame with its pad and CRC. */
    byte[] frame() throws IOException
    {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final int length = in.readUnsignedShort();
        final int size = Fpdu.LENGTH_SIZE + length;
        final ByteBuffer frame = ByteBuffer.allocate(size + Fpdu.pad(size) + Fpdu.CRC_SIZE);
        frame.putShort((short)length);
        in.readFully(frame.array(), Fpdu.LENGTH_SIZE, frame.remaining());
        return frame.array();
    }

    /** Receives all bytes until the context closes the connection; throws if it does not within a minute. */
    byte[] rest() throws IOException
    {
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        try
        {
            for (int next = socket.getInputStream().read(); next >= 0; next = socket.getInputStream().read())
            {
                received.write(next);
            }
        }
        catch (final SocketTimeoutException e)
        {
            throw e;
        }
        catch (final SocketException e)
        {
            // A close before everything is read resets the connection.
        }
        return received.toByteArray();
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
