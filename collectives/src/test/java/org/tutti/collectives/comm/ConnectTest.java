/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.wireup.EndpointCodec;
import org.tutti.collectives.wireup.EndpointRecord;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests connecting, and cleanup after a failed connect. */
class ConnectTest
{
    /** Much less than the join timeout, which a rank waits for if it is not notified of the failure. */
    private static final long SOON_S = 20;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TUTTI_TRANSPORT|x|TUTTI_TRANSPORT='x': load_provider: unknown transport 'x'; choose one of [",
        "TUTTI_DEVICE|x|TUTTI_DEVICE='x': 'x' is not a device of transport shm: choose one of [shm0]",
        "TUTTI_DEVICE|shm0:2|TUTTI_DEVICE='shm0:2': shm0 has no port 2: its ports are 1 to 1",
        "TUTTI_PORT|2|TUTTI_PORT='2': no device of transport shm has port 2: choose one of [shm0:1]",
        "TUTTI_GID_INDEX|1|TUTTI_GID_INDEX='1': no port can be used; " +
            "shm0:1: GID table entry 1 is empty; used entries: [0]",
        "TUTTI_MTU|100|TUTTI_MTU='100'",
        "TUTTI_ALGORITHM|x|TUTTI_ALGORITHM=\"x\"",
        "TUTTI_TIMEOUT|x|TUTTI_TIMEOUT='x'",
        "TUTTI_SCRATCH|x|TUTTI_SCRATCH='x'"})
    @Timeout(SOON_S)
    void shouldFailOnAllRanksWhenASettingOfOneIsInvalid(final String name, final String value, final String problem)
        throws Exception
    {
        final List<InMemoryBootstrap> bootstraps = InMemoryBootstrap.group(3);
        final Path directory = Path.of(bootstraps.getFirst().jobDirectory());

        final List<Throwable> thrown = connect(
            bootstraps, rank -> rank != 1 ? Map.of() :
                name.equals("TUTTI_TRANSPORT") ? Map.of(name, value) : Map.of("TUTTI_TRANSPORT", "shm", name, value));

        assertInstanceOf(ConfigurationException.class, thrown.get(1));
        assertTrue(thrown.get(1).getMessage().startsWith(problem), thrown.get(1)::getMessage);
        for (final int other : new int[] {0, 2})
        {
            assertInstanceOf(BootstrapException.class, thrown.get(other));
            assertTrue(thrown.get(other).getMessage().contains("rank 1"), thrown.get(other)::getMessage);
            assertTrue(thrown.get(other).getMessage().contains(problem), thrown.get(other)::getMessage);
        }
        assertFalse(Files.exists(directory), directory + " is left");
    }

    @Test
    @Timeout(SOON_S)
    void shouldTimeOutAtTheJoinTimeoutWhenARankDoesNotConnect() throws Exception
    {
        final List<InMemoryBootstrap> bootstraps = InMemoryBootstrap.group(2);

        final BootstrapException thrown = assertThrows(BootstrapException.class, () -> Communicators.connect(
            bootstraps.getFirst(), Map.of("TUTTI_JOIN_TIMEOUT", "100ms", "TUTTI_TIMEOUT", "1h")));
        bootstraps.get(1).close();

        assertInstanceOf(BootstrapTimeoutException.class, thrown);
        assertTrue(thrown.getMessage().contains("1"), thrown::getMessage);
    }

    @Test
    void shouldCloseConnectedRanksWhenOneFailsToConnect()
    {
        final Map<Integer, Communicator> connected = new ConcurrentHashMap<>();

        final BootstrapException thrown = assertThrows(BootstrapException.class, () -> Communicators.inProcess(3,
            bootstrap ->
            {
                final Communicator communicator = Communicators.connect(bootstrap, Map.of());
                connected.put(bootstrap.rank(), communicator);
                if (bootstrap.rank() == 1)
                {
                    bootstrap.abort("a test");
                    communicator.close();
                    throw new IllegalStateException("a test");
                }
                return communicator;
            }));

        assertEquals("the ranks cannot connect: a test", thrown.getMessage());
        assertEquals(3, connected.size());
        for (final Communicator communicator : connected.values())
        {
            assertEquals(
                "the communicator is closed",
                assertThrows(IllegalStateException.class, communicator::barrier).getMessage());
        }
    }

    @Test
    void shouldJoinAfterAFailedAttemptAndTwiceAtOnce()
    {
        assertThrows(
            ConfigurationException.class, () -> Communicators.join(Map.of("TUTTI_TIMEOUT", "abc")));
        assertThrows(
            BootstrapException.class, () -> Communicators.join(Map.of("RANK", "-1", "WORLD_SIZE", "1")));

        try (Communicator world = Communicators.join(Map.of()); Communicator other = Communicators.join(Map.of()))
        {
            assertEquals(1, world.size());
            assertEquals(1, other.size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void shouldThrowWhenTheNumberOfRanksIsNotPositive(final int size)
    {
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> Communicators.inProcess(size));

        assertTrue(thrown.getMessage().contains("the number of ranks is " + size), thrown::getMessage);
    }

    @Test
    void shouldConnectProcessesThatJoinSuccessiveJobs() throws Exception
    {
        final int size = 3;
        final String first = FreePort.choose();
        final String second = FreePort.choose();
        final List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++)
        {
            ranks.add(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), SuccessiveJobsRank.class.getName(),
                Integer.toString(rank), Integer.toString(size), first, second)
                .redirectErrorStream(true).start());
        }
        for (final Process rank : ranks)
        {
            assertEquals("6\n6\n", new String(rank.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    @Timeout(SOON_S)
    void shouldNameTheRankWithAnotherVersion() throws Exception
    {
        final byte version = 9;

        assertEquals("rank 1: a peer sent an endpoint record of version 9, this is version 8: run the same version " +
            "of Tutti on all hosts", refusal(record ->
            {
                record[6] = version;
                return record;
            }));
    }

    @Test
    @Timeout(SOON_S)
    void shouldNameTheRankWithAnotherTransport() throws Exception
    {
        final String host = Hosts.local();

        assertEquals("transports differ: rank 1 (" + host + ") uses verbs, rank 0 (" + host + ") uses shm: set " +
            "the same TUTTI_TRANSPORT on all ranks; tutti devices lists the devices of a host",
            refusal(record -> changed(record, "verbs", "SharedMemory")));
    }

    @Test
    @Timeout(SOON_S)
    void shouldNameTheRankOnAnotherNetwork() throws Exception
    {
        final String host = Hosts.local();

        assertEquals("networks differ: rank 1 (" + host + ") uses shm0 on InfiniBand, rank 0 (" + host + ") uses " +
            "shm0 on SharedMemory: choose ports of one network with TUTTI_DEVICE and TUTTI_GID_INDEX; tutti " +
            "devices lists them", refusal(record -> changed(record, "shm", "InfiniBand")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TUTTI_FUSION|64K|0|65536|0",
        "TUTTI_REPRODUCIBLE|0|1|0|1",
        "TUTTI_DIRECT|1|0|1|0",
        "TUTTI_ALGORITHM|allreduce:0-:ring|allreduce:0-4096:ring, 4k-:rabenseifner|allreduce:0-:ring" +
            "|allreduce:0-4k:ring;allreduce:4k-:rabenseifner",
        "TUTTI_ALGORITHM||broadcast:0-:chain|none|broadcast:0-:chain"})
    @Timeout(SOON_S)
    void shouldReportBothValuesWhenASettingDiffers(
        final String name, final String value, final String other, final String said, final String otherSaid)
        throws Exception
    {
        final String host = Hosts.local();

        final List<Throwable> thrown = connect(InMemoryBootstrap.group(2),
            rank -> Map.of(name, rank == 1 ? other : value == null ? "" : value));

        assertEquals(1, thrown.stream().filter(each -> each.getMessage().equals(name + " differs: rank 1 (" + host +
            ") has " + otherSaid + ", rank 0 (" + host + ") has " + said + ": set it to the same value on all ranks") ||
            each.getMessage().equals(name + " differs: rank 0 (" + host + ") has " + said + ", rank 1 (" + host +
            ") has " + otherSaid + ": set it to the same value on all ranks")).limit(1).count(), thrown::toString);
        for (final Throwable each : thrown)
        {
            assertInstanceOf(BootstrapException.class, each);
            assertTrue(each.getMessage().contains(name + " differs: "), each::getMessage);
        }
    }

    @Test
    void shouldCompareTuningTablesByContent(@TempDir final Path directory) throws Exception
    {
        final Path table =
            Files.writeString(directory.resolve("a"), "allreduce 2 0-4k ring\nallreduce 2 4k- one_shot\n");
        final Path same =
            Files.writeString(directory.resolve("b"), "# b\nallreduce 2 4096- one_shot\n\nallreduce 2-2 0-4k  ring\n");
        final Path other = Files.writeString(directory.resolve("c"), "allreduce 2 0-4k ring\n");

        for (final Throwable each : connect(
            InMemoryBootstrap.group(2), rank -> Map.of("TUTTI_TUNING", (rank == 0 ? table : other).toString())))
        {
            assertTrue(each.getMessage().contains("TUTTI_TUNING differs: rank "), each::getMessage);
            assertTrue(each.getMessage().contains(" has a table of 2 lines ("), each::getMessage);
            assertTrue(each.getMessage().contains(") in " + table), each::getMessage);
            assertTrue(each.getMessage().contains(" has a table of 1 line ("), each::getMessage);
            assertTrue(each.getMessage().contains(") in " + other), each::getMessage);
            assertTrue(each.getMessage().endsWith(": set it to copies of one file on all ranks"), each::getMessage);
        }
        try (Ranks ranks = Ranks.of(List.of(
            Map.of("TUTTI_TUNING", table.toString()), Map.of("TUTTI_TUNING", same.toString()))))
        {
            ranks.run(Communicator::barrier);
        }
    }

    @Test
    void shouldCompareCostModelsByContent(@TempDir final Path directory) throws Exception
    {
        final Path model = Files.writeString(directory.resolve("a"), "version=1\nhost.send=50\n");
        final Path same = Files.writeString(directory.resolve("b"), "# b\nhost.send=50.0\nversion=1\n");
        final Path other = Files.writeString(directory.resolve("c"), "version=1\nhost.send=51\n");

        for (final Throwable each : connect(
            InMemoryBootstrap.group(2), rank -> Map.of("TUTTI_MODEL", (rank == 0 ? model : other).toString())))
        {
            assertTrue(each.getMessage().contains("TUTTI_MODEL differs: rank "), each::getMessage);
            assertTrue(each.getMessage().contains(" has a model of 1 value ("), each::getMessage);
            assertTrue(each.getMessage().contains(") in " + model), each::getMessage);
            assertTrue(each.getMessage().contains(") in " + other), each::getMessage);
        }
        try (Ranks ranks = Ranks.of(List.of(
            Map.of("TUTTI_MODEL", model.toString()), Map.of("TUTTI_MODEL", same.toString()))))
        {
            ranks.run(Communicator::barrier);
        }
    }

    @Test
    void shouldRefuseTableForAnotherWire(@TempDir final Path directory) throws Exception
    {
        final Path table = Files.writeString(directory.resolve("a"), "allreduce 2 0- ring wire=tcp\n");

        for (final Throwable each : connect(
            InMemoryBootstrap.group(2), rank -> Map.of("TUTTI_TUNING", table.toString())))
        {
            assertTrue(each.getMessage().contains("all its lines are for the wire tcp, but ranks use shm"),
                each::getMessage);
        }
    }

    /** On one host, ranks may use the wire between hosts. */
    @ParameterizedTest
    @CsvSource({"tcp, a, a", "shm+tcp, a, b"})
    void shouldRefuseModelForAnotherWire(
        final String transport, final String host, final String other, @TempDir final Path directory) throws Exception
    {
        final Path model = Files.writeString(directory.resolve("a"), "version=1\nwire=verbs\nnetwork.send=300\n");

        for (final Throwable each : connect(InMemoryBootstrap.group(2), rank -> Map.of("TUTTI_TRANSPORT", transport,
            "TUTTI_HOST", rank == 0 ? host : other, "TUTTI_MODEL", model.toString())))
        {
            assertTrue(each.getMessage().contains("TUTTI_MODEL=" + model + ": is for the wire verbs, but ranks use " +
                "tcp: calibrate it with --wire tcp, or unset TUTTI_MODEL"), each::getMessage);
        }
        try (Ranks ranks = new Ranks(2, Map.of("TUTTI_TRANSPORT", "shm", "TUTTI_MODEL", model.toString())))
        {
            ranks.run(Communicator::barrier);
        }
    }

    private static String refusal(final UnaryOperator<byte[]> change) throws Exception
    {
        return refusal(change, Map.of());
    }

    /** Returns rank 0's error when the endpoint record of rank 1 is modified in transit. */
    static String refusal(final UnaryOperator<byte[]> change, final Map<String, String> settings) throws Exception
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final Bootstrap changing = InterceptedBootstrap.of(group.getFirst(), (method, arguments, call) ->
        {
            final Object result = call.with(arguments);
            return method.equals("allgather") ?
                List.of(((List<?>)result).getFirst(), change.apply((byte[])((List<?>)result).get(1))) : result;
        });

        final List<Throwable> thrown = connect(List.of(changing, group.get(1)), rank -> settings);

        assertInstanceOf(BootstrapException.class, thrown.get(0));
        assertTrue(thrown.get(1).getMessage().contains("rank 0 cannot connect: "), thrown.get(1)::getMessage);
        return thrown.get(0).getMessage();
    }

    private static byte[] changed(final byte[] bytes, final String transport, final String network)
    {
        final EndpointRecord record = EndpointCodec.decode(bytes).getFirst();
        return EndpointCodec.encode(List.of(new EndpointRecord(
            transport, network, record.device(), record.host(), record.hostId(), record.port(), record.mtu(),
            record.mbit(), record.lid(), record.gid(), record.psn(), record.queuePairs(), record.regions(),
            record.settings())));
    }

    /** Settings of a rank. */
    interface Settings
    {
        Map<String, String> of(int rank);
    }

    static List<Throwable> connect(final List<? extends Bootstrap> bootstraps, final Settings settings)
        throws InterruptedException
    {
        final List<Throwable> thrown = new ArrayList<>();
        try (ExecutorService ranks = Executors.newFixedThreadPool(bootstraps.size()))
        {
            final List<Future<Communicator>> futures = new ArrayList<>();
            for (final Bootstrap bootstrap : bootstraps)
            {
                futures.add(ranks.submit(() -> Communicators.connect(bootstrap, settings.of(bootstrap.rank()))));
            }
            for (final Future<Communicator> future : futures)
            {
                try
                {
                    future.get();
                    thrown.add(null);
                }
                catch (final ExecutionException e)
                {
                    thrown.add(e.getCause());
                }
            }
        }
        return thrown;
    }
}
