/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines are described by the files that their kernels show in /sys/devices/system. */
class CpuTopologyTest
{
    /** Two sockets with 4 cores each; even cores are on socket 0; the second threads follow all first ones. */
    private static final Machine TWO_SOCKETS = new Machine(2, 1, 4, 2, new int[] {1, 0, 2, 8});
    /** An AMD EPYC with one socket in mode NPS4: 4 NUMA nodes with 4 cores each. */
    private static final Machine FOUR_NODES = new Machine(1, 4, 4, 2, new int[] {0, 4, 1, 16});
    /** A virtual machine whose neighbouring CPUs are the threads of a core. */
    private static final Machine ADJACENT_THREADS = new Machine(1, 1, 4, 2, new int[] {0, 0, 2, 1});

    /**
     * A machine.
     *
     * @param sockets the number of sockets.
     * @param nodes   the number of NUMA nodes of a socket.
     * @param cores   the number of cores of a node.
     * @param threads the number of threads of a core.
     * @param strides the differences between the numbers of the CPUs of neighbouring sockets, nodes, cores and threads.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Machine(int sockets, int nodes, int cores, int threads, int[] strides)
    {
        int size()
        {
            return sockets * nodes * cores * threads;
        }

        /** Returns the files with all CPUs, of which those without {@code offline} are online. */
        Map<String, String> files(final Integer... offline)
        {
            final List<Integer> off = Arrays.asList(offline);
            final Map<String, String> files = new HashMap<>();
            for (int node = 0; node < sockets * nodes; node++)
            {
                final List<Integer> ofNode = new ArrayList<>();
                for (int core = 0; core < cores; core++)
                {
                    final List<Integer> siblings = new ArrayList<>();
                    for (int thread = 0; thread < threads; thread++)
                    {
                        siblings.add(node / nodes * strides[0] + node % nodes * strides[1] + core * strides[2] +
                            thread * strides[3]);
                    }
                    siblings.removeAll(off);
                    for (final int cpu : siblings)
                    {
                        final String topology = "cpu/cpu" + cpu + "/topology/";
                        files.put(topology + "thread_siblings_list", CpuTopology.format(siblings));
                        files.put(topology + "core_id", Integer.toString(node % nodes * cores + core));
                        files.put(topology + "physical_package_id", Integer.toString(node / nodes));
                    }
                    ofNode.addAll(siblings);
                }
                files.put("node/node" + node + "/cpulist", CpuTopology.format(ofNode.stream().sorted().toList()));
            }
            files.put("node/online", "0-" + (sockets * nodes - 1));
            files.put("cpu/online",
                CpuTopology.format(IntStream.range(0, size()).boxed().filter(cpu -> !off.contains(cpu)).toList()));
            return files;
        }

        CpuTopology topology(final List<Integer> allowed, final Integer... offline)
        {
            return read(files(offline), allowed);
        }

        CpuTopology topology()
        {
            return topology(IntStream.range(0, size()).boxed().toList());
        }
    }

    private static CpuTopology read(final Map<String, String> files, final List<Integer> allowed)
    {
        return CpuTopology.read(file -> files.getOrDefault(file, ""), allowed);
    }

    /** Returns the descriptions of the CPUs of all ranks. */
    private static List<String> bound(final CpuTopology topology, final Binding.Unit unit, final int ranks)
    {
        return IntStream.range(0, ranks)
            .mapToObj(rank -> topology.describe(topology.cpusOf(unit, rank, ranks))).toList();
    }

    @Test
    void shouldBindToCoresOfOneSocketAfterTheOther()
    {
        assertEquals(List.of(
            "CPUs 0,8, core 0, socket 0, NUMA node 0",
            "CPUs 2,10, core 1, socket 0, NUMA node 0",
            "CPUs 4,12, core 2, socket 0, NUMA node 0",
            "CPUs 6,14, core 3, socket 0, NUMA node 0",
            "CPUs 1,9, core 0, socket 1, NUMA node 1"),
            bound(TWO_SOCKETS.topology(), Binding.Unit.CORE, 8).subList(0, 5));
    }

    @Test
    void shouldDistributeConsecutiveRanksOverSocketsAndNodes()
    {
        final String first = "CPUs 0,2,4,6,8,10,12,14, cores 0-3, socket 0, NUMA node 0";
        final String second = "CPUs 1,3,5,7,9,11,13,15, cores 0-3, socket 1, NUMA node 1";

        assertEquals(List.of(first), bound(TWO_SOCKETS.topology(), Binding.Unit.SOCKET, 1));
        assertEquals(List.of(first, first, second, second), bound(TWO_SOCKETS.topology(), Binding.Unit.SOCKET, 4));
        assertEquals(List.of("CPUs 0-3,16-19, cores 0-3, socket 0, NUMA node 0",
            "CPUs 8-11,24-27, cores 8-11, socket 0, NUMA node 2"), bound(FOUR_NODES.topology(), Binding.Unit.NUMA, 2));
        assertEquals(List.of("CPUs 0-31, cores 0-15, socket 0, NUMA nodes 0-3"),
            bound(FOUR_NODES.topology(), Binding.Unit.SOCKET, 1));
        assertEquals(List.of("CPUs 0-31, cores 0-15, socket 0, NUMA nodes 0-3"),
            bound(FOUR_NODES.topology(), Binding.Unit.NONE, 1));
    }

    @Test
    void shouldBindToHardwareThreadsWhenRanksExceedCores()
    {
        assertEquals(List.of(List.of(0), List.of(2), List.of(4), List.of(6), List.of(1), List.of(3)),
            IntStream.range(0, 6)
                .mapToObj(rank -> ADJACENT_THREADS.topology().cpusOf(Binding.Unit.CORE, rank, 6)).toList());
        // More ranks than hardware threads share them.
        assertEquals(List.of(0), ADJACENT_THREADS.topology().cpusOf(Binding.Unit.CORE, 8, 9));
        assertEquals(List.of(2, 3), ADJACENT_THREADS.topology().cpusOf(Binding.Unit.CORE, 1, 4));
    }

    /** A container or an allocation of Slurm that has one core of socket 0, and a core and a half of socket 1. */
    @Test
    void shouldUseAllowedCpusOnly()
    {
        final CpuTopology few = TWO_SOCKETS.topology(List.of(2, 5, 7, 10, 15));

        assertEquals(List.of("CPUs 2,10, core 1, socket 0, NUMA node 0", "CPU 5, core 2, socket 1, NUMA node 1",
            "CPUs 7,15, core 3, socket 1, NUMA node 1"), bound(few, Binding.Unit.CORE, 3));
        assertEquals(List.of("CPUs 2,10, core 1, socket 0, NUMA node 0",
            "CPUs 5,7,15, cores 2-3, socket 1, NUMA node 1", "CPUs 5,7,15, cores 2-3, socket 1, NUMA node 1"),
            bound(few, Binding.Unit.SOCKET, 3));
    }

    @Test
    void shouldNotUseOfflineCpus()
    {
        final CpuTopology topology = ADJACENT_THREADS.topology(List.of(0, 1, 2, 3, 4, 5, 6, 7), 0, 3, 4, 5);

        assertEquals(List.of("CPU 1, core 0, socket 0, NUMA node 0", "CPU 2, core 1, socket 0, NUMA node 0",
            "CPUs 6-7, core 3, socket 0, NUMA node 0"), bound(topology, Binding.Unit.CORE, 3));
    }

    /** As in sandboxes that show no topology, and in virtual machines without NUMA whose sockets are unknown. */
    @Test
    void shouldBindWithoutDescriptionOfTheMachine()
    {
        final Map<String, String> unknownSocket = Map.of("cpu/cpu4/topology/physical_package_id", "-1",
            "cpu/cpu4/topology/core_id", "0", "cpu/cpu6/topology/physical_package_id", "-1",
            "cpu/cpu6/topology/core_id", "1");

        assertEquals(List.of("CPU 4", "CPU 6"), bound(read(Map.of(), List.of(4, 6)), Binding.Unit.CORE, 2));
        assertEquals(List.of("CPUs 4,6", "CPUs 4,6"), bound(read(Map.of(), List.of(4, 6)), Binding.Unit.NUMA, 2));
        assertEquals(List.of("CPUs 4,6, cores 0-1"), bound(read(unknownSocket, List.of(4, 6)), Binding.Unit.SOCKET, 1));
    }

    @Test
    void shouldReadThisHost()
    {
        final CpuTopology topology = CpuTopology.ofThisProcess();
        final List<Integer> all = topology.cpusOf(Binding.Unit.NONE, 0, 1);

        assertFalse(all.isEmpty());
        assertTrue(Cores.allowed().containsAll(all));
        assertTrue(all.containsAll(topology.cpusOf(Binding.Unit.CORE, 0, 1)));
    }

    @Property(tries = 300)
    void shouldBindEachRankWithinOneUnitInProportionToCores(
        @ForAll @IntRange(min = 1, max = 3) final int sockets,
        @ForAll @IntRange(min = 1, max = 3) final int nodes,
        @ForAll @IntRange(min = 1, max = 4) final int cores,
        @ForAll @IntRange(min = 1, max = 2) final int threads,
        @ForAll final long mask,
        @ForAll @IntRange(min = 1, max = 90) final int ranks)
    {
        final Machine machine = new Machine(sockets, nodes, cores, threads,
            new int[] {nodes * cores, cores, 1, sockets * nodes * cores});
        final List<Integer> allowed = IntStream.range(0, machine.size())
            .filter(cpu -> cpu == 0 || ((mask >> (cpu % 61)) & 1) != 0).boxed().toList();
        final CpuTopology topology = machine.topology(allowed);
        final int coreCount = (int)allowed.stream().map(cpu -> cpu % machine.strides()[3]).distinct().count();
        final Set<Integer> used = new HashSet<>();
        final Map<List<Integer>, Integer> ranksOf = new HashMap<>();
        for (int rank = 0; rank < ranks; rank++)
        {
            final List<Integer> core = topology.cpusOf(Binding.Unit.CORE, rank, ranks);
            final List<Integer> node = topology.cpusOf(Binding.Unit.NUMA, rank, ranks);

            assertTrue(allowed.containsAll(core) && !core.isEmpty(), core::toString);
            assertEquals(1, core.stream().map(cpu -> cpu % machine.strides()[3]).distinct().count());
            assertTrue(ranks > allowed.size() || core.stream().allMatch(used::add), "a CPU has two ranks");
            final int number = nodeOf(machine, node.getFirst());
            assertEquals(allowed.stream().filter(cpu -> nodeOf(machine, cpu) == number).toList(), node);
            ranksOf.merge(node, 1, Integer::sum);
        }
        assertTrue(ranks > coreCount || ranks < coreCount || used.size() == allowed.size(), "a CPU has no rank");
        ranksOf.forEach((node, count) ->
        {
            final long coresOf = node.stream().map(cpu -> cpu % machine.strides()[3]).distinct().count();
            assertTrue(Math.abs(count - (double)ranks * coresOf / coreCount) < 1, node + " has " + count + " ranks");
        });
    }

    private static int nodeOf(final Machine machine, final int cpu)
    {
        return cpu % machine.strides()[3] / machine.cores();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0 | 0", "0,1 | 0-1", "0,2,3,4,9 | 0,2-4,9", "7,8,10 | 7-8,10"})
    void shouldFormatNumbersAsTheKernelDoes(final String numbers, final String expected)
    {
        final List<Integer> parsed = Arrays.stream(numbers.split(",", -1)).map(Integer::valueOf).toList();

        assertEquals(expected, CpuTopology.format(parsed));
        assertEquals(parsed, Cores.parse(expected));
    }
}
