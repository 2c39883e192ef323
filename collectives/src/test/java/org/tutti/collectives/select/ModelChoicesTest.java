/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.WireKind;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ModelChoicesTest
{
    private static final AlgorithmSelector SELECTOR = AlgorithmSelector.of(null);

    @ParameterizedTest
    @CsvSource({
        "64, 8, recursive_doubling",
        "64, 1048576, rabenseifner",
        "16384, 1048576, rabenseifner"})
    void shouldChooseFewStepsForManyRanks(final int size, final long bytes, final String algorithm)
    {
        final Choice choice =
            SELECTOR.choose(Collective.ALLREDUCE, HostMap.inOrder(size, 1), bytes, OperandOrder.ANY);

        assertEquals(algorithm, choice.algorithm().name(), choice.reason());
        assertTrue(choice.reason().startsWith("predicted by the model of verbs: "), choice.reason());
        assertTrue(choice.reason().contains(" us at " + bytes + " bytes, "), choice.reason());
    }

    @Test
    void shouldDependOnTheWire()
    {
        final HostMap hosts = HostMap.inOrder(16, 1);
        final AlgorithmSelector tcp = SELECTOR.over(
            new AlgorithmSelector.Wires(WireKind.SHM, WireKind.TCP, 0, 4 << 20));

        assertTrue(tcp.choose(Collective.ALLREDUCE, hosts, 8, OperandOrder.ANY).reason()
            .startsWith("predicted by the model of tcp: "));
        assertFalse(tcp.model().equals(SELECTOR.model()));
    }

    /** A binomial tree has fewer messages, but the root's host sends all bytes three times. */
    @ParameterizedTest
    @CsvSource({
        "0, binomial, ''",
        "25000, binomial, ''",
        "1000, scatter_allgather, ', links of 1 Gbit/s'"})
    void shouldDependOnTheRateOfLinksBetweenHosts(final int mbit, final String algorithm, final String rate)
    {
        final AlgorithmSelector tcp = SELECTOR.over(
            new AlgorithmSelector.Wires(WireKind.SHM, WireKind.TCP, mbit, 4 << 20));

        final Choice choice =
            tcp.choose(Collective.BROADCAST, HostMap.inOrder(8, 2), 32 << 10, OperandOrder.ANY);

        assertEquals(algorithm, choice.algorithm().name(), choice.reason());
        assertTrue(choice.reason().startsWith("predicted by the model of tcp" + rate + ": "), choice.reason());
    }

    /** The defaults were measured in shared memory. */
    @Test
    void shouldNotUseMeasurementsOfSharedMemoryForOtherWires()
    {
        final AlgorithmSelector tcp = SELECTOR.over(
            new AlgorithmSelector.Wires(WireKind.TCP, WireKind.TCP, 0, 4 << 20)).withoutPeerAccess();

        assertTrue(tcp.choose(Collective.ALLREDUCE, 4, 1 << 20).reason().startsWith("predicted by the model of tcp"));
        assertTrue(SELECTOR.choose(Collective.ALLREDUCE, 4, 1 << 20).reason().startsWith("measured default for "));
    }

    @ParameterizedTest
    @EnumSource(OperandOrder.class)
    void shouldKeepRequiredOrder(final OperandOrder order)
    {
        for (final Collective collective : List.of(
            Collective.ALLREDUCE, Collective.REDUCE, Collective.REDUCE_SCATTER, Collective.SCAN, Collective.EXSCAN))
        {
            for (final HostMap hosts : List.of(HostMap.one(100), HostMap.inOrder(33, 8), HostMap.inOrder(5, 1)))
            {
                for (long bytes = 0; bytes < 1L << 40; bytes = 2 * bytes + 1)
                {
                    assertTrue(order.isKeptBy(SELECTOR.choose(collective, hosts, bytes, order).algorithm()));
                }
            }
        }
    }

    @Test
    void shouldNotChooseAlgorithmsWhoseScratchIsTooLong()
    {
        for (long bytes = 64; bytes < 1 << 24; bytes *= 4)
        {
            final Algorithm chosen = SELECTOR.algorithm(
                Collective.ALLTOALL, HostMap.inOrder(100_000, 1), bytes * 100_000, OperandOrder.ANY);

            assertEquals("pairwise", chosen.name());
        }
    }

    @Test
    void shouldCutLengthsIntoContiguousClasses()
    {
        int previous = 0;
        for (long bytes = 1; bytes > 0; bytes += Math.max(1, bytes / 64))
        {
            final int found = ModelChoices.sizeClass(bytes);

            assertTrue(found == previous || found == previous + 1, "class of " + bytes);
            assertTrue(ModelChoices.shortest(found) <= bytes);
            assertTrue(found == ModelChoices.sizeClass(Long.MAX_VALUE) || bytes < ModelChoices.shortest(found + 1));
            previous = found;
        }
        assertEquals(0, ModelChoices.shortest(ModelChoices.sizeClass(0)));
    }

    @Test
    void shouldAllocateNothingOnceAClassOfLengthsIsKnown()
    {
        final HostMap hosts = HostMap.inOrder(48, 8);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final Algorithm first = choose(hosts);
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < 10 && allocated > 0; i++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            final Algorithm again = choose(hosts);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertSame(first, again);
        }

        assertEquals(0, allocated);
    }

    /** An array with an element per host would take a time that grows with the job, in each new kind of call. */
    @Test
    void shouldNotAllocatePerHostWhenALengthIsNew()
    {
        final long few = allocatedForNewLength(HostMap.inOrder(8 * 8, 8));
        final long many = allocatedForNewLength(HostMap.inOrder(8 * 4096, 8));

        assertTrue(many - few < 4096 * Integer.BYTES, few + " bytes for 8 hosts, " + many + " for 4096");
    }

    /** Bytes allocated by the first call of a class of lengths; the minimum of several. */
    private static long allocatedForNewLength(final HostMap hosts)
    {
        final AlgorithmSelector selector = AlgorithmSelector.of(null);
        // The first call of all finds the ranks that share a host.
        selector.algorithm(Collective.ALLREDUCE, hosts, 8, OperandOrder.ANY);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (long bytes = 1 << 10; bytes <= 1 << 16; bytes *= 2)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            selector.algorithm(Collective.ALLREDUCE, hosts, bytes, OperandOrder.ANY);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static Algorithm choose(final HostMap hosts)
    {
        Algorithm found = null;
        for (int i = 0; i < 1000; i++)
        {
            found = SELECTOR.algorithm(Collective.ALLREDUCE, hosts, 1_000_000 + i, OperandOrder.ANY);
        }
        return found;
    }
}
