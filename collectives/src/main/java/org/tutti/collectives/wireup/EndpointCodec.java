/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.wireup.EndpointRecord.PeerQueuePair;
import org.tutti.collectives.wireup.EndpointRecord.Region;
import org.tutti.rdma.Gid;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Encodes and decodes {@link EndpointRecord}s. All numbers are little-endian, lengths count bytes, and each record but
 * the last is followed by the record of the rank's next port:
 * <pre>
 *   header       block length 25 (2), template 1 (2), schema 7485 (2), version (2)
 *   block        port (1), MTU (2), LID (2), GID in network order (16), PSN (4)
 *   queue pairs  entry length 20 (2), count (2); each: peer (4), number (4), FIFO address (8), FIFO rkey (4)
 *   regions      entry length 20 (2), count (2); each: address (8), length (8), rkey (4)
 *   texts        device, host, host id, transport, network, settings; each: length (4), UTF-8
 *   next         length of all that follows (4)
 * </pre>
 */
public final class EndpointCodec
{
    private static final int VERSION = 8;
    private static final short SCHEMA = 7485;
    private static final short TEMPLATE = 1;
    private static final int HEADER_LENGTH = 8;
    private static final int BLOCK_LENGTH = 29;
    private static final int ENTRY_LENGTH = 20;
    /** The entry length and the count of entries. */
    private static final int LIST_LENGTH = 4;
    private static final int MAX_ENTRIES = 0xFFFE;

    private EndpointCodec()
    {
    }

    /**
     * Encodes the records of a rank.
     *
     * @param records records of the rank's ports, at least one.
     * @return a new array.
     */
    public static byte[] encode(final List<EndpointRecord> records)
    {
        byte[] encoded = {};
        for (final EndpointRecord record : records.reversed())
        {
            encoded = encode(record, encoded);
        }
        return encoded;
    }

    private static byte[] encode(final EndpointRecord record, final byte[] next)
    {
        final List<byte[]> texts = Stream
            .of(record.device(), record.host(), record.hostId(), record.transport(), record.network(),
                record.settings())
            .map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
        final ByteBuffer buffer = ByteBuffer.allocate(
            HEADER_LENGTH + BLOCK_LENGTH + 2 * LIST_LENGTH +
            ENTRY_LENGTH * (record.queuePairs().size() + record.regions().size()) +
            texts.stream().mapToInt(text -> Integer.BYTES + text.length).sum() + Integer.BYTES + next.length)
            .order(ByteOrder.LITTLE_ENDIAN);
        buffer.putShort((short)BLOCK_LENGTH).putShort(TEMPLATE).putShort(SCHEMA).putShort((short)VERSION);
        buffer.put((byte)record.port()).putShort((short)record.mtu()).putInt(record.mbit())
            .putShort((short)record.lid()).put(record.gid().bytes()).putInt(record.psn());
        putCount(buffer, record.queuePairs());
        for (final PeerQueuePair queuePair : record.queuePairs())
        {
            buffer.putInt(queuePair.peer()).putInt(queuePair.number())
                .putLong(queuePair.fifoAddress()).putInt(queuePair.fifoRkey());
        }
        putCount(buffer, record.regions());
        for (final Region region : record.regions())
        {
            buffer.putLong(region.address()).putLong(region.length()).putInt(region.rkey());
        }
        texts.forEach(text -> buffer.putInt(text.length).put(text));
        return buffer.putInt(next.length).put(next).array();
    }

    private static void putCount(final ByteBuffer buffer, final List<?> entries)
    {
        if (entries.size() > MAX_ENTRIES)
        {
            throw new IllegalArgumentException(
                "an endpoint record has " + entries.size() + " entries of one kind: must be at most " + MAX_ENTRIES);
        }
        buffer.putShort((short)ENTRY_LENGTH).putShort((short)entries.size());
    }

    /**
     * Decodes the records of a rank.
     *
     * @param bytes bytes that {@link #encode} wrote.
     * @return records of all the rank's ports, in the order in which they were encoded.
     * @throws BootstrapException if the bytes are from another version of Tutti, or are not endpoint records.
     */
    public static List<EndpointRecord> decode(final byte[] bytes)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        final List<EndpointRecord> records = new ArrayList<>();
        try
        {
            do
            {
                checkHeader(buffer);
                records.add(record(buffer));
            }
            while (buffer.getInt() != 0);
        }
        catch (final BufferUnderflowException e)
        {
            throw new BootstrapException("a peer sent a truncated endpoint record", e);
        }
        return records;
    }

    private static void checkHeader(final ByteBuffer buffer)
    {
        final int length = buffer.remaining();
        if (length < HEADER_LENGTH || buffer.getShort() != BLOCK_LENGTH || buffer.getShort() != TEMPLATE ||
            buffer.getShort() != SCHEMA)
        {
            throw new BootstrapException("a peer sent " + length + " bytes that are not an endpoint record");
        }
        final int version = Short.toUnsignedInt(buffer.getShort());
        if (version != VERSION)
        {
            throw new BootstrapException("a peer sent an endpoint record of version " + version +
                ", this is version " + VERSION + ": run the same version of Tutti on all hosts");
        }
    }

    private static EndpointRecord record(final ByteBuffer buffer)
    {
        final int port = Byte.toUnsignedInt(buffer.get());
        final int mtu = Short.toUnsignedInt(buffer.getShort());
        final int mbit = buffer.getInt();
        final int lid = Short.toUnsignedInt(buffer.getShort());
        final Gid gid = Gid.of(bytes(buffer, Gid.LENGTH));
        final int psn = buffer.getInt();
        final List<PeerQueuePair> queuePairs = new ArrayList<>();
        for (int left = count(buffer); left > 0; left--)
        {
            queuePairs.add(
                new PeerQueuePair(buffer.getInt(), buffer.getInt(), buffer.getLong(), buffer.getInt()));
        }
        final List<Region> regions = new ArrayList<>();
        for (int left = count(buffer); left > 0; left--)
        {
            regions.add(new Region(buffer.getLong(), buffer.getLong(), buffer.getInt()));
        }
        final String device = text(buffer);
        final String host = text(buffer);
        final String hostId = text(buffer);
        return new EndpointRecord(
            text(buffer), text(buffer), device, host, hostId, port, mtu, mbit, lid, gid, psn, queuePairs, regions,
            text(buffer));
    }

    private static int count(final ByteBuffer buffer)
    {
        buffer.getShort();
        return Short.toUnsignedInt(buffer.getShort());
    }

    private static String text(final ByteBuffer buffer)
    {
        return new String(bytes(buffer, buffer.getInt()), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(final ByteBuffer buffer, final int length)
    {
        // Checked before an array of that length is allocated.
        if (length < 0 || length > buffer.remaining())
        {
            throw new BufferUnderflowException();
        }
        final byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }
}
