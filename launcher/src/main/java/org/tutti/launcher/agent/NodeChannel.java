/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Hmac;
import org.tutti.bootstrap.JobSecret;

/**
 * A TCP connection between two nodes of a job, whose ends have proved to each other that they know the job's secret.
 * First the handshake, in clear text: <pre>
 *   node to coordinator: magic | nonce N
 *   coordinator to node: nonce C | HMAC of N and C
 *   node to coordinator: another HMAC of N and C</pre>
 * Then each direction has a key, derived from the secret and both nonces, and consists of records: <pre>
 *   int length of the payload | payload | first 16 bytes of the HMAC of the record's number and payload</pre>
 * Contents are authenticated, but not encrypted. The streams are for one thread each.
 */
public final class NodeChannel implements AutoCloseable
{
    private static final byte[] MAGIC = "tutti-node 1".getBytes(StandardCharsets.US_ASCII);
    private static final String COORDINATOR_PROOF = "node coordinator";
    private static final String NODE_PROOF = "node member";
    private static final String TO_NODE = "coordinator to node";
    private static final String TO_COORDINATOR = "node to coordinator";
    private static final int TAG_LENGTH = 16;
    private static final int MAX_PAYLOAD = 1 << 16;

    private final Socket socket;
    private final CountDownLatch end = new CountDownLatch(1);
    private final TimedInput source;
    private final Input input;
    private final Output output;

    private NodeChannel(
        final Socket socket, final TimedInput source, final Hmac inputKey, final Hmac outputKey) throws IOException
    {
        this.socket = socket;
        this.source = source;
        input = new Input(new DataInputStream(source), inputKey);
        output = new Output(new DataOutputStream(socket.getOutputStream()), outputKey);
    }

    /**
     * Proves the secret to a coordinator, which proves it first.
     *
     * @param socket  the connection, owned by the channel on return.
     * @param secret  the secret of the job.
     * @param limitMs the longest duration of the handshake in milliseconds, greater than 0; it limits all reads until
     *                {@link #limitReads}.
     * @return the channel.
     * @throws IOException       if the connection ends; the secret of the other end is unknown then.
     * @throws SecurityException if the other end has another secret.
     */
    static NodeChannel connect(final Socket socket, final JobSecret secret, final long limitMs) throws IOException
    {
        final TimedInput source = source(socket, limitMs);
        final DataInputStream in = new DataInputStream(source);
        final byte[] own = JobSecret.nonce();
        socket.getOutputStream().write(concat(MAGIC, own));
        final byte[] other = exactly(in, JobSecret.NONCE_LENGTH);
        final byte[] proof = exactly(in, JobSecret.PROOF_LENGTH);
        if (!JobSecret.matches(secret.prove(COORDINATOR_PROOF, own, other), proof))
        {
            throw new SecurityException("another secret");
        }
        socket.getOutputStream().write(secret.prove(NODE_PROOF, own, other));
        return new NodeChannel(
            socket, source, secret.derive(TO_NODE, own, other), secret.derive(TO_COORDINATOR, own, other));
    }

    /**
     * Proves the secret to a node, and checks its proof.
     *
     * @param socket  the connection, owned by the channel on return.
     * @param secret  the secret of the job.
     * @param limitMs the longest duration of the handshake in milliseconds, greater than 0; it limits all reads until
     *                {@link #limitReads}.
     * @return the channel.
     * @throws IOException       if the connection ends, or the other end is not a node.
     * @throws SecurityException if the other end has another secret.
     */
    static NodeChannel accept(final Socket socket, final JobSecret secret, final long limitMs) throws IOException
    {
        final TimedInput source = source(socket, limitMs);
        final DataInputStream in = new DataInputStream(source);
        if (!Arrays.equals(MAGIC, exactly(in, MAGIC.length)))
        {
            throw new IOException("not a node");
        }
        final byte[] other = exactly(in, JobSecret.NONCE_LENGTH);
        final byte[] own = JobSecret.nonce();
        socket.getOutputStream().write(concat(own, secret.prove(COORDINATOR_PROOF, other, own)));
        if (!JobSecret.matches(secret.prove(NODE_PROOF, other, own), exactly(in, JobSecret.PROOF_LENGTH)))
        {
            throw new SecurityException("another secret");
        }
        return new NodeChannel(
            socket, source, secret.derive(TO_COORDINATOR, other, own), secret.derive(TO_NODE, other, own));
    }

    private static TimedInput source(final Socket socket, final long limitMs) throws IOException
    {
        socket.setTcpNoDelay(true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        return new TimedInput(socket, limitMs);
    }

    private static byte[] concat(final byte[] first, final byte[] second)
    {
        final byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static byte[] exactly(final DataInputStream in, final int length) throws IOException
    {
        final byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /**
     * Returns the stream of what the other end sends.
     *
     * @return a stream that ends, or fails, with the connection.
     */
    public InputStream input()
    {
        return input;
    }

    /**
     * Returns the stream to the other end.
     *
     * @return a stream that sends each array at once; closing it ends the other end's input.
     */
    public OutputStream output()
    {
        return output;
    }

    /** Sets the longest wait of all reads that follow together, in milliseconds from now; 0 for no limit. */
    void limitReads(final long limitMs) throws IOException
    {
        source.limit(limitMs);
    }

    /**
     * Returns this end's address on the connection.
     *
     * @return an address at which the other end reaches this host.
     */
    public InetAddress ownAddress()
    {
        return socket.getLocalAddress();
    }

    /** Returns whether the connection has ended, as the reader of the input has seen. */
    boolean hasEnded()
    {
        return end.getCount() == 0;
    }

    /** Returns the other end's address. */
    String peerAddress()
    {
        return ((InetSocketAddress)socket.getRemoteSocketAddress()).getAddress().getHostAddress();
    }

    /**
     * Waits until the other end has ended the connection.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @return whether it has.
     * @throws InterruptedException if the thread is interrupted.
     */
    public boolean awaitEnd(final long timeoutMs) throws InterruptedException
    {
        return end.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Closes the connection, although data may be on its way. Idempotent. */
    @Override
    public void close()
    {
        try
        {
            socket.close();
        }
        catch (final IOException ex)
        {
            // It is closed nevertheless.
            return;
        }
        finally
        {
            end.countDown();
        }
    }

    private final class Input extends InputStream
    {
        private final DataInputStream in;
        private final Hmac key;
        private final byte[] tag = new byte[Hmac.LENGTH];
        private final byte[] given = new byte[Hmac.LENGTH];
        private byte[] payload = new byte[0];
        private int next;
        private long number;

        Input(final DataInputStream in, final Hmac key)
        {
            this.in = in;
            this.key = key;
        }

        @Override
        public int read() throws IOException
        {
            return fill() ? payload[next++] & 0xFF : -1;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException
        {
            if (length == 0)
            {
                return 0;
            }
            if (!fill())
            {
                return -1;
            }
            final int count = Math.min(length, payload.length - next);
            System.arraycopy(payload, next, bytes, offset, count);
            next += count;
            return count;
        }

        /** Reads a record if all bytes of the last one have been taken; returns false at the end. */
        private boolean fill() throws IOException
        {
            try
            {
                if (next < payload.length)
                {
                    return true;
                }
                final int first = in.read();
                if (first < 0)
                {
                    end.countDown();
                    return false;
                }
                final int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
                if (length <= 0 || length > MAX_PAYLOAD)
                {
                    throw new ProtocolException("invalid record length: " + length);
                }
                payload = exactly(in, length);
                next = 0;
                in.readFully(given, 0, TAG_LENGTH);
                key.update(number++);
                key.update(payload, length);
                key.end(tag);
                Arrays.fill(tag, TAG_LENGTH, tag.length, (byte)0);
                if (!JobSecret.matches(tag, given))
                {
                    throw new ProtocolException("record " + number + " is not from the other node");
                }
                return true;
            }
            catch (final SocketTimeoutException ex)
            {
                throw ex;
            }
            catch (final IOException ex)
            {
                end.countDown();
                throw ex;
            }
        }
    }

    private final class Output extends OutputStream
    {
        private final DataOutputStream out;
        private final Hmac key;
        private final byte[] tag = new byte[Hmac.LENGTH];
        private long number;

        Output(final DataOutputStream out, final Hmac key)
        {
            this.out = out;
            this.key = key;
        }

        @Override
        public void write(final int value) throws IOException
        {
            write(new byte[] {(byte)value}, 0, 1);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException
        {
            int done = 0;
            while (done < length)
            {
                final int part = Math.min(MAX_PAYLOAD, length - done);
                final byte[] payload = Arrays.copyOfRange(bytes, offset + done, offset + done + part);
                final byte[] numbered = {(byte)(part >>> 24), (byte)(part >>> 16), (byte)(part >>> 8), (byte)part};
                key.update(number++);
                key.update(payload, part);
                key.end(tag);
                // One call, so that it is one packet.
                out.write(concat(concat(numbered, payload), Arrays.copyOf(tag, TAG_LENGTH)));
                done += part;
            }
        }

        @Override
        public void close() throws IOException
        {
            if (!socket.isClosed() && !socket.isOutputShutdown())
            {
                socket.shutdownOutput();
            }
        }
    }
}
