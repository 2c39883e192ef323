/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.Gid;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the selection of the transport between two ranks. */
class NetDeviceChoiceTest
{
    private static final long DIRECTORY = 0xfe80_0000_0000_0000L;

    /** A rank is written as host, at sign, number of the memory that it can map, colon, and its transports. */
    @ParameterizedTest
    @CsvSource({
        "a@1:shm,           a@1:shm,           shm",
        "a@1:shm+verbs,     a@1:shm+verbs,     shm",
        "a@1:shm+verbs,     b@2:shm+verbs,     verbs",
        // In one container, but configured as two hosts.
        "a@1:shm+verbs,     b@1:shm+verbs,     verbs",
        "a@1:shm,           b@1:shm,           shm",
        "a@1:shm,           b@1:shm+verbs,     shm",
        // In two containers of one host, or on two hosts with the same name.
        "a@1:shm+verbs,     a@2:shm+verbs,     verbs",
        "a@1:shm,           a@2:shm,           none",
        "a@1:shm+verbs,     b@2:shm,           none",
        "a@1:shm+verbs,     b@2:verbs,         verbs",
        "a@1:verbs,         a@1:shm+verbs,     verbs",
        "a@1:verbs,         a@1:verbs,         verbs",
        "a@1:shm+disni,     b@2:shm+verbs,     none",
        "a@1:shm+disni,     a@1:shm+verbs,     shm"})
    void shouldSelectSharedMemoryWithinHostAndOtherTransportBetweenHosts(
        final String one, final String other, final String transport)
    {
        assertEquals(transport, chosen(rank(one), rank(other)));
        assertEquals(transport, chosen(rank(other), rank(one)));
    }

    @Test
    void shouldSelectNothingWhenNetworkKindsDiffer()
    {
        assertEquals("none", chosen(List.of(record("verbs", "Ethernet, RoCE v2", "a", 1)),
            List.of(record("verbs", "InfiniBand", "b", 2))));
        assertEquals("verbs", chosen(List.of(record("verbs", "Ethernet, RoCE v2", "a", 1)),
            List.of(record("verbs", "Ethernet", "b", 2))));
    }

    /** Otherwise one rank would send over one device while the other receives on another. */
    @Property(tries = 500)
    void shouldSelectSameTransportOnBothSides(
        @ForAll final long seed, @ForAll @IntRange(min = 1, max = 2) final int hosts)
    {
        final Random random = new Random(seed);
        final List<EndpointRecord> one = any(random, hosts);
        final List<EndpointRecord> other = any(random, hosts);

        assertEquals(chosen(one, other), chosen(other, one));
    }

    /** Otherwise a rank would read memory that it cannot map, while another sends messages. */
    @Property(tries = 500)
    void shouldReportAllSharedOnlyWhenEachPairSharesMemory(
        @ForAll final long seed, @ForAll @IntRange(min = 1, max = 2) final int hosts,
        @ForAll @IntRange(min = 2, max = 4) final int size)
    {
        final Random random = new Random(seed);
        final List<List<EndpointRecord>> ranks = Stream.generate(() -> any(random, hosts)).limit(size).toList();

        final boolean isAllShared = NetDeviceChoice.isAllShared(ranks);

        assertTrue(!isAllShared || ranks.stream().allMatch(one ->
            ranks.stream().allMatch(other -> chosen(one, other).equals("shm"))));
    }

    @ParameterizedTest
    @CsvSource({
        "a@1:shm,       a@1:shm,       a@1:shm,       true",
        "a@1:shm+verbs, a@1:shm,       a@1:shm+disni, true",
        "a@1:shm,       b@1:shm,       a@1:shm,       true",
        "a@1:shm+verbs, a@1:shm+verbs, a@2:shm+verbs, false",
        "a@1:shm+verbs, b@1:shm+verbs, a@1:shm+verbs, false",
        "a@1:shm+verbs, a@1:verbs,     a@1:shm+verbs, false"})
    void shouldReportWhetherAllShareMemory(
        final String one, final String other, final String third, final boolean isAllShared)
    {
        assertEquals(isAllShared, NetDeviceChoice.isAllShared(List.of(rank(one), rank(other), rank(third))));
    }

    @ParameterizedTest
    @CsvSource({"25000, 1000, 1000", "0, 10000, 10000", "0, 0, 0"})
    void shouldReportTheSlowestKnownLinkBetweenHosts(final int one, final int other, final int slowest)
    {
        final EndpointRecord shared = record("shm", "shm", "a", 1, 100);

        assertEquals(slowest, NetDeviceChoice.slowestMbit(List.of(
            List.of(shared, record("tcp", "tcp", "a", 1, one)),
            List.of(shared, record("tcp", "tcp", "b", 2, other)))));
    }

    private static List<EndpointRecord> any(final Random random, final int hosts)
    {
        final String[] transports = {"shm", "verbs", "disni", "shm+verbs", "shm+disni"};
        return rank((char)('a' + random.nextInt(hosts)) + "@" + random.nextInt(2) + ":" +
            transports[random.nextInt(transports.length)]);
    }

    private static String chosen(final List<EndpointRecord> own, final List<EndpointRecord> theirs)
    {
        final int chosen = NetDeviceChoice.between(own, theirs);
        return chosen == NetDeviceChoice.NONE ? "none" : own.get(chosen).transport();
    }

    private static List<EndpointRecord> rank(final String text)
    {
        final String host = text.substring(0, text.indexOf('@'));
        final int memory = Integer.parseInt(text.substring(text.indexOf('@') + 1, text.indexOf(':')));
        return Arrays.stream(text.substring(text.indexOf(':') + 1).split("\\+", -1))
            .map(transport -> record(transport, transport, host, memory)).toList();
    }

    private static EndpointRecord record(
        final String transport, final String network, final String host, final int memory)
    {
        return record(transport, network, host, memory, 0);
    }

    private static EndpointRecord record(
        final String transport, final String network, final String host, final int memory, final int mbit)
    {
        final Gid gid = new Gid(DIRECTORY | memory, host.hashCode() & 0xFFFF);
        return new EndpointRecord(
            transport, network, "d", "h", host, 1, 4096, mbit, 1, gid, 0, List.of(), List.of(), "");
    }
}
