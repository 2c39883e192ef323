/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.OperandOrder;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.shm.ShmProvider;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks that use shared memory within a host and another transport between hosts. */
class MixedTest
{
    private static final String FAR = "far";
    private static final int CALLS = 150;
    private static final int WARM_UP = 1_000;
    private static final int ROUNDS = 50;

    private Path directory;

    @BeforeEach
    void openDirectory() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "tutti-mixed-");
        // For the provider of this test, which is loaded by its name.
        System.setProperty(ShmProvider.DIRECTORY_PROP_NAME, directory.toString());
    }

    @AfterEach
    void removeDirectory() throws IOException
    {
        System.clearProperty(ShmProvider.DIRECTORY_PROP_NAME);
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    @ParameterizedTest
    @CsvSource({"aabb, far", "abab, far", "abacb, far", "abacb, tcp"})
    void shouldUseSharedMemoryWithinAHostAndTheOtherTransportBetweenHosts(final String hosts, final String far)
    {
        try (Ranks ranks = MixedCases.ranks(hosts, far, Map.of()))
        {
            MixedCases.checkWays(ranks, hosts, far);
            assertTrue(ranks.team(0).transport().startsWith("shm/shm0+" + far + "/"), ranks.team(0)::transport);
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, new long[] {1, 3_000, 40_000}));
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb", "aaabb", "ababb"})
    void shouldLoadTheMemoryOfRanksOfTheSameHost(final String hosts)
    {
        try (Ranks ranks = MixedCases.ranks(
            hosts, FAR, Map.of("TUTTI_ALGORITHM", "allreduce:0-:hierarchical_direct")))
        {
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, new long[] {0, 1, 3_000, 100_000}));
            assertEquals("hierarchical_direct", chosen(ranks));
        }
        try (Ranks ranks = MixedCases.ranks(
            hosts, FAR, Map.of("TUTTI_ALGORITHM", "allreduce:0-:hierarchical_direct", "TUTTI_DIRECT", "0")))
        {
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, new long[] {3_000}));
            assertNotEquals("hierarchical_direct", chosen(ranks));
        }
    }

    private static String chosen(final Ranks ranks)
    {
        return ranks.team(0).selector()
            .algorithm(Collective.ALLREDUCE, ranks.team(0).hosts(), 4_000, OperandOrder.ANY).name();
    }

    @ParameterizedTest
    @CsvSource({"aab, far", "abba, far", "abba, tcp"})
    void shouldComputeRandomCallsAndSendAndPut(final String hosts, final String far)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        try (Ranks ranks = MixedCases.ranks(hosts, far, Map.of()))
        {
            MixedCases.callAtRandom(ranks, seed, CALLS);
            MixedCases.sendAndPut(ranks, seed);
            MixedCases.wakeBothWays(ranks);
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb, shm", "abab, far"})
    void shouldNameTheBrokenConnectionAndItsTransport(final String hosts, final String transport)
    {
        try (Ranks ranks = MixedCases.ranks(hosts, FAR, MixedCases.shortRetrySettings()))
        {
            MixedCases.nameWhatBroke(ranks, transport);
        }
    }

    @Test
    void shouldAllocateNothingPerCall()
    {
        try (Ranks ranks = MixedCases.ranks("aab", FAR, Map.of()))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 100);
                AllocationTest.call(communicator, buffer, WARM_UP);

                assertEquals(0, AllocationTest.leastAllocated(
                    communicator, () -> AllocationTest.call(communicator, buffer, ROUNDS)));
            });
        }
    }

    @Test
    void shouldUseOneTransportWhenOneSuffices()
    {
        try (Ranks ranks = MixedCases.ranks("aaa", FAR, Map.of()))
        {
            ranks.run(Communicator::barrier);

            assertEquals("shm/shm0", ranks.team(0).transport());
            assertFalse(ranks.team(0).isMixed());
        }
        try (Ranks ranks = MixedCases.ranks("abc", FAR, Map.of()))
        {
            ranks.run(Communicator::barrier);

            assertEquals("far/shm0", ranks.team(1).transport());
            assertFalse(ranks.team(1).isMixed());
        }
    }

    /** By default a job on one host opens no device, and a job on several hosts does. */
    @Test
    void shouldUseOnlySharedMemoryWhenAllRanksShareAHost()
    {
        // A setting for all jobs of a cluster concerns the device between hosts.
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of("TUTTI_DEVICE", "mlx5_0"))))
        {
            assertEquals("shm/shm0", ranks.team(0).transport());
            assertEquals("shm/shm0", ranks.team(1).transport());
        }
    }

    @Test
    void shouldUseTcpBetweenHostsWithoutRdmaDevice()
    {
        System.clearProperty(ShmProvider.DIRECTORY_PROP_NAME);
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final List<Bootstrap> apart = new ArrayList<>();
        for (final InMemoryBootstrap bootstrap : group)
        {
            apart.add(bootstrap.rank() == 0 ? elsewhere(bootstrap, bootstrap.jobDirectory()) :
                elsewhere(bootstrap, directory.toString()));
        }

        try (Ranks ranks = new Ranks(apart, List.of(Map.of("TUTTI_HOST", "h0"), Map.of("TUTTI_HOST", "h1"))))
        {
            final String expected = hasRdmaDevice() ? "verbs/" : "tcp/";
            assertTrue(ranks.team(0).transport().startsWith(expected), ranks.team(0)::transport);
            ranks.run(SplitTest::checkAllreduce);
        }
    }

    private static boolean hasRdmaDevice()
    {
        try
        {
            return !RdmaProvider.load("verbs").devices().isEmpty();
        }
        catch (final RdmaException notHere)
        {
            return false;
        }
    }

    /** Returns a bootstrap for a rank alone on its host, whose shared memory is in a directory. */
    private static Bootstrap elsewhere(final Bootstrap bootstrap, final String directory)
    {
        return (Bootstrap)Proxy.newProxyInstance(
            MixedTest.class.getClassLoader(), new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                try
                {
                    return switch (method.getName())
                    {
                        case "localSize" -> 1;
                        case "localRank" -> 0;
                        case "jobDirectory" -> directory;
                        default -> method.invoke(bootstrap, arguments);
                    };
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
