/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.rdma.Gid;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the encoding of endpoint records. */
class EndpointCodecTest
{
    private static final Gid GID = new Gid(0xfe80_0000_0000_0000L, 0x0250_56ff_fe8a_0001L);

    /** Header: block length 29, template 1, schema 7485, version 8; then the fields in order. */
    private static final String GOLDEN =
        "1d0001003d1d0800" +
        "01" + "0010" + "10270000" + "3412" + "fe80000000000000025056fffe8a0001" + "56341200" +
        "1400" + "0200" + "00000000" + "22110000" + "0000000000000000" + "00000000" +
        "02000000" + "33110000" + "0706050403020100" + "44434241" +
        "1400" + "0100" + "0807060504030201" + "0000000001000000" + "efbeadde" +
        "04000000" + "73686d30" +
        "02000000" + "6831" +
        "01000000" + "69" +
        "05000000" + "7665726273" +
        "08000000" + "45746865726e6574" +
        "03000000" + "413d31" +
        "00000000";

    private static final List<EndpointRecord.PeerQueuePair> QUEUE_PAIRS = List.of(
        new EndpointRecord.PeerQueuePair(0, 0x1122, 0, 0),
        new EndpointRecord.PeerQueuePair(2, 0x1133, 0x0001020304050607L, 0x41424344));

    private static EndpointRecord golden()
    {
        return new EndpointRecord("verbs", "Ethernet", "shm0", "h1", "i", 1, 4096, 10_000, 0x1234, GID,
            0x123456, QUEUE_PAIRS,
            List.of(new EndpointRecord.Region(0x0102030405060708L, 1L << 32, 0xdeadbeef)), "A=1");
    }

    private static byte[] encode(final EndpointRecord record)
    {
        return EndpointCodec.encode(List.of(record));
    }

    private static EndpointRecord decode(final byte[] bytes)
    {
        return EndpointCodec.decode(bytes).getFirst();
    }

    @Test
    void shouldKeepLayout()
    {
        assertEquals(GOLDEN, HexFormat.of().formatHex(encode(golden())));
    }

    @Test
    void shouldDecodeEncodedRecord()
    {
        final EndpointRecord record = decode(encode(golden()));

        assertEquals("verbs", record.transport());
        assertEquals("Ethernet", record.network());
        assertEquals("shm0", record.device());
        assertEquals("h1", record.host());
        assertEquals("i", record.hostId());
        assertEquals(1, record.port());
        assertEquals(4096, record.mtu());
        assertEquals(0x1234, record.lid());
        assertEquals(GID, record.gid());
        assertEquals(QUEUE_PAIRS, record.queuePairs());
        assertEquals(0x123456, record.psn());
        assertEquals(golden().regions(), record.regions());
        assertEquals("A=1", record.settings());
    }

    @Test
    void shouldDecodeRecordsOfAllPortsInOrder()
    {
        final EndpointRecord other = new EndpointRecord("shm", "SharedMemory", "shm9", "h1", "i", 2, 256, 0, 7, GID,
            5, List.of(), List.of(new EndpointRecord.Region(1, 2, 3), new EndpointRecord.Region(4, 5, 6)), "");

        final byte[] bytes = EndpointCodec.encode(List.of(golden(), other, golden()));
        final List<EndpointRecord> records = EndpointCodec.decode(bytes);

        assertEquals(List.of("shm0", "shm9", "shm0"), records.stream().map(EndpointRecord::device).toList());
        assertEquals(other.regions(), records.get(1).regions());
        assertArrayEquals(encode(other), encode(records.get(1)));
        assertEquals("A=1", records.get(2).settings());
        assertArrayEquals(encode(golden()), encode(decode(bytes)));
        final byte[] tooShort = Arrays.copyOf(bytes, bytes.length - 1);
        assertThrows(BootstrapException.class, () -> EndpointCodec.decode(tooShort));
    }

    @Property(tries = 200)
    void shouldDecodeAnyNumberOfQueuePairsAndRegions(
        @ForAll @Size(max = 300) final int[] numbers,
        @ForAll @Size(max = 9) final List<Long> addresses,
        @ForAll @IntRange(max = 0xFFFF) final int lid,
        @ForAll final String host)
    {
        final List<EndpointRecord.PeerQueuePair> queuePairs = Arrays.stream(numbers)
            .mapToObj((number) ->
                new EndpointRecord.PeerQueuePair(number >>> 8, number & 0xFFFFFF, ~(long)number, number))
            .toList();
        final List<EndpointRecord.Region> regions = addresses.stream()
            .map((address) -> new EndpointRecord.Region(address, ~address, address.intValue()))
            .toList();
        // Lone surrogates cannot be encoded in UTF-8.
        final String text = host.codePoints().filter((c) -> c < 0xD800 || c > 0xDFFF)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();

        final EndpointRecord record = decode(encode(new EndpointRecord(
            text, "", "d", text, text, 255, 256, numbers.length, lid, GID, 0, queuePairs, regions, text)));

        assertEquals(queuePairs, record.queuePairs());
        assertEquals(regions, record.regions());
        assertEquals(numbers.length, record.mbit());
        assertEquals(lid, record.lid());
        assertEquals(text, record.host());
        assertEquals(text, record.hostId());
        assertEquals(text, record.transport());
        assertEquals(text, record.settings());
    }

    @Test
    void shouldNameBothVersionsWhenVersionsDiffer()
    {
        final byte[] bytes = encode(golden());
        bytes[6] = 9;

        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> decode(bytes));

        assertTrue(
            refusal.getMessage().contains("version 9") && refusal.getMessage().contains("version 8"),
            refusal.getMessage());
    }

    @Test
    void shouldRejectInvalidRecord()
    {
        assertThrows(BootstrapException.class, () -> decode(new byte[7]));
        assertThrows(BootstrapException.class, () -> decode(new byte[80]));
        assertThrows(
            BootstrapException.class, () -> decode(Arrays.copyOf(encode(golden()), 60)));
    }

    @Test
    void shouldRejectLengthBeyondEndWithoutAllocatingIt()
    {
        final byte[] bytes = encode(golden());
        final int lengthOfDevice = HexFormat.of().formatHex(bytes).indexOf("0400000073686d30") / 2;
        bytes[lengthOfDevice + 3] = 0x7f;

        final BootstrapException refusal = assertThrows(BootstrapException.class, () -> decode(bytes));

        assertEquals("a peer sent a truncated endpoint record", refusal.getMessage());
    }
}
