/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import org.tutti.rdma.Gid;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The private data by which Tutti peers recognize each other: magic (4), capabilities (4), the sender's GID (16), port
 * (2, and 2 unused) and queue pair number (4), the receiver's GID (16), port (2 and 2) and queue pair number (4), the
 * packet sequence number that the sender expects (4), the number of the sender's incarnation (8), a nonce (16) and a
 * proof (32), see {@link Proof}.
 *
 * @param from        queue pair of the sender.
 * @param to          queue pair of the receiver.
 * @param psn         first packet sequence number that the sender expects.
 * @param incarnation number that grows each time the sender's queue pair is connected after a reset.
 * @param nonce       16 random bytes.
 * @param proof       32 bytes.
 */
@SuppressWarnings("ArrayRecordComponent")
public record PrivateData(Place from, Place to, int psn, long incarnation, byte[] nonce, byte[] proof)
{
    public static final int NONCE = 16;
    /** Length in bytes. */
    public static final int SIZE = 8 + 2 * Place.SIZE + 4 + 8 + NONCE + Proof.SIZE;

    private static final int MAGIC = 0x54555454;
    /** Bit 0: immediate data, atomics, sends with immediate data, the count in a TERMINATE; bit 1: announcements. */
    private static final int CAPABILITIES = 3;

    /**
     * A queue pair and the port that leads to it.
     *
     * @param gid   GID of the port: its IP address.
     * @param port  TCP port.
     * @param qpNum queue pair number; 0 at a standard peer, which has none.
     */
    public record Place(Gid gid, int port, int qpNum) implements Comparable<Place>
    {
        static final int SIZE = Gid.LENGTH + 8;

        /**
         * Whether this is a standard peer: one that uses iWARP as other implementations do, without private data.
         *
         * @return false for a queue pair of Tutti.
         */
        public boolean isStandard()
        {
            return qpNum == 0;
        }

        @Override
        public int compareTo(final Place other)
        {
            final int gids = Arrays.compareUnsigned(gid.bytes(), other.gid.bytes());
            final int ports = Integer.compare(port, other.port);
            return gids != 0 ? gids : ports != 0 ? ports : Integer.compare(qpNum, other.qpNum);
        }

        void put(final ByteBuffer buffer)
        {
            buffer.put(gid.bytes()).putShort((short)port).putShort((short)0).putInt(qpNum);
        }

        static Place get(final ByteBuffer buffer)
        {
            final byte[] gid = new byte[Gid.LENGTH];
            buffer.get(gid);
            final int port = buffer.getShort() & 0xFFFF;
            buffer.getShort();
            return new Place(Gid.of(gid), port, buffer.getInt());
        }
    }

    /**
     * Describes the request of a standard peer, which sends no such data.
     *
     * @param from address and port of the peer.
     * @param to   address and port of this side.
     * @return a description that proves nothing.
     */
    public static PrivateData ofStandardPeer(final Place from, final Place to)
    {
        return new PrivateData(from, to, 0, 0, new byte[0], new byte[0]);
    }

    /**
     * Encodes the data.
     *
     * @return a new array of {@link #SIZE} bytes.
     */
    public byte[] encoded()
    {
        final ByteBuffer buffer = ByteBuffer.allocate(SIZE);
        buffer.putInt(MAGIC).putInt(CAPABILITIES);
        from.put(buffer);
        to.put(buffer);
        buffer.putInt(psn).putLong(incarnation).put(nonce).put(proof);
        return buffer.array();
    }

    /**
     * Decodes the data.
     *
     * @param data private data.
     * @return the decoded data, or null if it is not that of a Tutti peer with the same capabilities.
     */
    public static PrivateData decode(final byte[] data)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(data);
        if (data.length != SIZE || buffer.getInt() != MAGIC || buffer.getInt() != CAPABILITIES)
        {
            return null;
        }
        final Place from = Place.get(buffer);
        final Place to = Place.get(buffer);
        if (from.isStandard() || to.isStandard())
        {
            return null;
        }
        final int psn = buffer.getInt();
        final long incarnation = buffer.getLong();
        final byte[] nonce = new byte[NONCE];
        final byte[] proof = new byte[Proof.SIZE];
        buffer.get(nonce).get(proof);
        return new PrivateData(from, to, psn, incarnation, nonce, proof);
    }
}
