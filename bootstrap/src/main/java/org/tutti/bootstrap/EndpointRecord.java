/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.codec.endpoint.EndpointDecoder;
import org.tutti.bootstrap.codec.endpoint.EndpointEncoder;
import org.tutti.bootstrap.codec.endpoint.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.endpoint.MessageHeaderEncoder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a rank tells the others so that they can reach its queue pairs and its memory by one of its ports: pure data,
 * which the bootstrap carries and does not understand. Records of several ports travel together.
 *
 * @param transport  name of the provider: both ends of a connection must have the same.
 * @param network    what kind of network the port is on: ports reach each other only within one kind.
 * @param device     name of the device.
 * @param host       name of the host.
 * @param port       of the device, counted from 1.
 * @param mtu        of the path, in bytes.
 * @param lid        of the port, 0 where the fabric has none.
 * @param gid        of the port, 16 bytes in network order.
 * @param psn        the first packet sequence number that the rank sends, 24 bits.
 * @param queuePairs of the rank, each for one peer.
 * @param regions    memory that peers may reach, in an order that both ends know.
 * @param settings   that must be the same on all ranks, as text.
 */
@SuppressWarnings("ArrayRecordComponent") // A wire record: whoever compares it compares its bytes.
public record EndpointRecord(
    String transport, String network, String device, String host, int port, int mtu, int lid, byte[] gid, int psn,
    List<PeerQueuePair> queuePairs, List<Region> regions, String settings)
{
    private static final int GID_LENGTH = 16;

    /**
     * A queue pair for one peer.
     *
     * @param peer        rank that it is for.
     * @param number      of the queue pair, 24 bits.
     * @param fifoAddress of the receive FIFO that the peer stores its messages into; 0 if there is none.
     * @param fifoRkey    of the receive FIFO.
     */
    public record PeerQueuePair(int peer, int number, long fifoAddress, int fifoRkey)
    {
    }

    /**
     * Memory of a rank.
     *
     * @param address of the first byte, in the rank.
     * @param length  in bytes.
     * @param rkey    for peers.
     */
    public record Region(long address, long length, int rkey)
    {
    }

    /**
     * Checks the GID.
     *
     * @throws IllegalArgumentException if it has not 16 bytes.
     */
    public EndpointRecord
    {
        if (gid.length != GID_LENGTH)
        {
            throw new IllegalArgumentException("a GID has " + GID_LENGTH + " bytes, not " + gid.length);
        }
        queuePairs = List.copyOf(queuePairs);
        regions = List.copyOf(regions);
    }

    /**
     * Writes the records of a rank.
     *
     * @param records of its ports, at least one.
     * @return a new array.
     */
    public static byte[] encode(final List<EndpointRecord> records)
    {
        byte[] encoded = {};
        for (final EndpointRecord record : records.reversed())
        {
            encoded = record.encode(encoded);
        }
        return encoded;
    }

    /**
     * Writes the record as an SBE message.
     *
     * @return a new array.
     */
    public byte[] encode()
    {
        return encode(new byte[0]);
    }

    private byte[] encode(final byte[] next)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(256 + next.length);
        final EndpointEncoder encoder = new EndpointEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .port((short)port).mtu(mtu).lid(lid).psn(psn);
        for (int i = 0; i < GID_LENGTH; i++)
        {
            encoder.gid(i, (short)(gid[i] & 0xFF));
        }
        final EndpointEncoder.QueuePairsEncoder queuePairsEncoder = encoder.queuePairsCount(queuePairs.size());
        for (final PeerQueuePair queuePair : queuePairs)
        {
            queuePairsEncoder.next().peer(queuePair.peer()).number(queuePair.number())
                .fifoAddress(queuePair.fifoAddress()).fifoRkey(queuePair.fifoRkey());
        }
        final EndpointEncoder.RegionsEncoder regionsEncoder = encoder.regionsCount(regions.size());
        for (final Region region : regions)
        {
            regionsEncoder.next().address(region.address()).length(region.length()).rkey(region.rkey());
        }
        encoder.device(device).host(host).transport(transport).network(network).settings(settings)
            .putNext(next, 0, next.length);
        return Arrays.copyOf(buffer.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    /**
     * Reads a record.
     *
     * @param bytes as {@link #encode()} wrote them.
     * @return the record, the first if there are several.
     * @throws BootstrapException if they are of another version of Tutti, or no record.
     */
    public static EndpointRecord decode(final byte[] bytes)
    {
        return decodeAll(bytes).getFirst();
    }

    /**
     * Reads the records of a rank.
     *
     * @param bytes as {@link #encode(List)} wrote them.
     * @return those of all its ports, in their order.
     * @throws BootstrapException if they are of another version of Tutti, or no records.
     */
    public static List<EndpointRecord> decodeAll(final byte[] bytes)
    {
        final List<EndpointRecord> records = new ArrayList<>();
        byte[] left = bytes;
        do
        {
            left = decode(left, records);
        }
        while (left.length > 0);
        return records;
    }

    /** Adds the first record; returns the others. */
    private static byte[] decode(final byte[] bytes, final List<EndpointRecord> records)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (bytes.length < MessageHeaderDecoder.ENCODED_LENGTH ||
            header.wrap(buffer, 0).schemaId() != EndpointDecoder.SCHEMA_ID ||
            header.templateId() != EndpointDecoder.TEMPLATE_ID)
        {
            throw new BootstrapException("a peer sent " + bytes.length + " bytes that are no endpoint record");
        }
        if (header.version() != EndpointDecoder.SCHEMA_VERSION)
        {
            throw new BootstrapException("a peer sent an endpoint record of version " + header.version() +
                ", this is version " + EndpointDecoder.SCHEMA_VERSION + ": run the same Tutti on all hosts");
        }
        try
        {
            final EndpointDecoder decoder = new EndpointDecoder().wrapAndApplyHeader(buffer, 0, header);
            records.add(decode(decoder));
            final byte[] next = new byte[decoder.nextLength()];
            decoder.getNext(next, 0, next.length);
            return next;
        }
        catch (final IndexOutOfBoundsException ex)
        {
            throw new BootstrapException("a peer sent an endpoint record that ends too soon", ex);
        }
    }

    private static EndpointRecord decode(final EndpointDecoder decoder)
    {
        final byte[] gid = new byte[GID_LENGTH];
        for (int i = 0; i < GID_LENGTH; i++)
        {
            gid[i] = (byte)decoder.gid(i);
        }
        final int port = decoder.port();
        final int mtu = decoder.mtu();
        final int lid = decoder.lid();
        final int psn = (int)decoder.psn();
        final List<PeerQueuePair> queuePairs = new ArrayList<>();
        for (final EndpointDecoder.QueuePairsDecoder each : decoder.queuePairs())
        {
            queuePairs.add(
                new PeerQueuePair((int)each.peer(), (int)each.number(), each.fifoAddress(), each.fifoRkey()));
        }
        final List<Region> regions = new ArrayList<>();
        for (final EndpointDecoder.RegionsDecoder region : decoder.regions())
        {
            regions.add(new Region(region.address(), region.length(), region.rkey()));
        }
        final String device = decoder.device();
        final String host = decoder.host();
        return new EndpointRecord(
            decoder.transport(), decoder.network(), device, host, port, mtu, lid, gid, psn, queuePairs, regions,
            decoder.settings());
    }
}
