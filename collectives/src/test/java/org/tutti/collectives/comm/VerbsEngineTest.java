/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.device.LocalPort;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.tcp.TcpOptions;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The engine on a real device: port selection, connection and error messages. Runs before all other tests: librdmacm,
 * which DiSNI calls, keeps devices open until the process ends, and Linux waits for that when one of these tests
 * removes the device.
 */
@Order(1)
@Tag("soft-roce")
class VerbsEngineTest
{
    private static final int COUNT = 20_000;
    private static final int MTU = 4096;
    private static final long DEADLINE_NS = 30_000_000_000L;
    /** File in which an emulated host keeps the name of its device's network interface. */
    private static final Path WIRE = Path.of("/run/wire");

    /** A rank alone that prints why it cannot allocate memory: for limits that only another process can have. */
    static final class Alone
    {
        private Alone()
        {
        }

        public static void main(final String[] args)
        {
            try (Communicator communicator = Communicators.inProcess(1, settings()).getFirst();
                DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 1 << 20))
            {
                System.out.println("allocated: " + buffer.count());
            }
            catch (final BootstrapException | ConfigurationException | RdmaException e)
            {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void shouldSelectARoutableGid()
    {
        try (Ranks ranks = Ranks.of(List.of(settings(), settings())))
        {
            assertEquals("verbs/rxe0", ranks.team(0).transport());
            assertEquals(1, ranks.team(0).device(1).port().gid().index());
            assertEquals("rxe0:1 (the only active port), GID 1 ::ffff:10.77.0.1 (RoCE v2, IPv4)",
                ranks.team(0).device(1).port().explanation());
            allreduce(ranks);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TUTTI_MTU=256|TUTTI_MTU=1024", "TUTTI_GID_INDEX=0|TUTTI_GID_INDEX=0",
        "TUTTI_DEVICE=rxe0:1 TUTTI_SERVICE_LEVEL=3 TUTTI_TRAFFIC_CLASS=104|TUTTI_ACK_TIMEOUT=14 TUTTI_RETRY_COUNT=3",
        "TUTTI_RNR_RETRY=0 TUTTI_MIN_RNR_TIMER=1|TUTTI_RNR_RETRY=6"})
    void shouldConnectWithTheGivenSettings(final String first, final String second)
    {
        try (Ranks ranks = Ranks.of(List.of(settings(first.split(" ", -1)), settings(second.split(" ", -1)))))
        {
            allreduce(ranks);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TUTTI_DEVICE=rxe7|TUTTI_DEVICE='rxe7': 'rxe7' is not a device of transport verbs: choose one of [rxe0]",
        "TUTTI_PORT=2|TUTTI_PORT='2': no device of transport verbs has port 2: choose one of [rxe0:1]",
        "TUTTI_GID_INDEX=9|TUTTI_GID_INDEX='9': no port can be used; rxe0:1: GID table entry 9 is empty; " +
            "used entries: [0, 1]"})
    void shouldThrowWhenThePortRequestIsInvalid(final String setting, final String problem)
    {
        final ConfigurationException thrown = assertThrows(ConfigurationException.class, () -> openPort(setting));

        assertEquals(problem, thrown.getMessage());
    }

    @Test
    void shouldNameBothQueuePairsAndTheCauseWhenAPeerDoesNotAnswer()
    {
        final Map<String, String> shortRetrySettings = settings("TUTTI_ACK_TIMEOUT=12", "TUTTI_RETRY_COUNT=1");
        try (Ranks ranks = Ranks.of(List.of(shortRetrySettings, shortRetrySettings)))
        {
            final QueuePairAttributes error = new QueuePairAttributes();
            error.state = QueuePairState.ERR;
            ranks.run(Communicator::barrier);
            ranks.team(1).connections()[0].queuePair().modify(error, QueuePairAttributeMask.STATE);

            final CollectiveException thrown =
                assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());

            assertEquals(1, thrown.peer());
            final String ours = "QP " + ranks.team(0).connections()[1].queuePair().qpNum();
            final String theirs = " to " + ranks.team(1).connections()[0].queuePair().qpNum() + " over verbs/rxe0: ";
            assertTrue(thrown.getMessage().contains("RETRY_EXC_ERR"), thrown::getMessage);
            assertTrue(thrown.getMessage().contains(ours + theirs + "the peer does not answer"), thrown::getMessage);
        }
    }

    @Test
    void shouldFailACallWhenTheLinkIsLost() throws Exception
    {
        try (Ranks ranks = Ranks.of(List.of(settings(), settings())))
        {
            allreduce(ranks);
            execute("wire", "down");
            final CollectiveException thrown;
            try
            {
                // Rank 0 only waits, so that no message of its own can fail.
                thrown = assertThrows(CollectiveException.class, () -> ranks.communicator(0)
                    .withTimeout(Duration.ofMinutes(2)).broadcast(new double[] {1}, 1));
            }
            finally
            {
                execute("wire", "up");
            }
            assertTrue(thrown.getMessage().contains(
                "port rxe0:1 of this host lost its link while this rank waited for rank"), thrown::getMessage);
        }
    }

    @Test
    @Tag("torture")
    void shouldNameTheLimitWhenMemoryCannotBeRegistered() throws Exception
    {
        final String output = alone("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock",
            "sh", "-c", "ulimit -l 64; exec \"$@\"", "sh");

        assertTrue(output.contains("ibv_reg_mr: "), output);
        assertTrue(output.contains("locked memory, whose limit here is 65536 bytes"), output);
        assertTrue(output.contains("ulimit -l unlimited"), output);
    }

    /** MissingLibraryTest tests most of this in every build. */
    @Test
    @Tag("torture")
    void shouldNameThePackagesWhenLibibverbsIsMissing() throws Exception
    {
        // The library is empty for this process only.
        final String output = alone("unshare", "--mount", "sh", "-c",
            "for file in /usr/lib/*/libibverbs.so.1; do mount --bind /dev/null \"$file\"; done; exec \"$@\"", "sh");

        assertTrue(output.contains("libibverbs.so.1 is not installed; install the packages libibverbs1 and " +
            "ibverbs-providers (Debian, Ubuntu) or libibverbs (Fedora, RHEL), or use another transport"), output);
    }

    @Test
    void shouldReportThatThereIsNoDevice() throws Exception
    {
        execute("rdma", "link", "delete", "rxe0");
        try
        {
            final RdmaException thrown = assertThrows(RdmaException.class, VerbsEngineTest::open);

            assertTrue(thrown.getMessage().contains("transport verbs has no device on this host"), thrown::getMessage);
        }
        finally
        {
            execute("rdma", "link", "add", "rxe0", "type", "rxe", "netdev", Files.readString(WIRE).strip());
            awaitPort();
        }
    }

    @Test
    void shouldReportWhyNoPortIsUsable() throws Exception
    {
        execute("wire", "down");
        try
        {
            final RdmaException thrown = assertThrows(RdmaException.class, VerbsEngineTest::open);

            assertTrue(thrown.getMessage().contains("no port of transport verbs can be used; rxe0:1: "),
                thrown::getMessage);
            assertTrue(thrown.getMessage().contains("DOWN"), thrown::getMessage);
        }
        finally
        {
            execute("wire", "up");
            awaitPort();
        }
    }

    @Test
    @Tag("torture")
    void shouldThrowWhenTheMtuExceedsTheLinks() throws Exception
    {
        final String wire = Files.readString(WIRE).strip();
        execute("ip", "link", "set", wire, "mtu", "1500");
        try
        {
            final BootstrapException thrown = assertThrows(BootstrapException.class,
                () -> Communicators.inProcess(2, settings("TUTTI_MTU=4096")));

            assertTrue(thrown.getMessage().contains("TUTTI_MTU='4096' is more than the active MTU of rxe0:1, 1024"),
                thrown::getMessage);
        }
        finally
        {
            execute("ip", "link", "set", wire, "mtu", "9000");
            awaitPort();
        }
    }

    private static void open()
    {
        openPort().close();
    }

    private static LocalPort openPort(final String... settings)
    {
        return LocalPort.open(
            InMemoryBootstrap.group(1).getFirst(), "verbs", EngineConfiguration.of(settings(settings)).portRequest(),
            "", TcpOptions.DEFAULT);
    }

    /** Waits until the port is active again, which the kernel does asynchronously. */
    private static void awaitPort() throws Exception
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            try (LocalPort port = openPort("TUTTI_GID_INDEX=1"))
            {
                if (port.port().attributes().activeMtu == MTU)
                {
                    return;
                }
            }
            catch (final ConfigurationException | RdmaException e)
            {
                assertTrue(System.nanoTime() - startNs < DEADLINE_NS, e::getMessage);
            }
            assertTrue(System.nanoTime() - startNs < DEADLINE_NS, "the port does not come back");
            Thread.sleep(50);
        }
    }

    /** Returns the output of a rank that is started by a command which restricts it. */
    private static String alone(final String... command) throws Exception
    {
        final List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(
            System.getProperty("java.home") + "/bin/java", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Alone.class.getName()));
        final Process rank = new ProcessBuilder(words).redirectErrorStream(true).start();
        final String output = new String(rank.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, rank.waitFor(), output);
        return output;
    }

    private static void allreduce(final Ranks ranks)
    {
        ranks.run(communicator ->
        {
            try (DataBuffer buffer = communicator.allocate(DataType.FLOAT64, COUNT))
            {
                for (int i = 0; i < COUNT; i++)
                {
                    buffer.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, i + communicator.rank());
                }
                communicator.allreduce(buffer, ReduceOp.SUM);
                for (int i = 0; i < COUNT; i++)
                {
                    assertEquals(2.0 * i + 1, buffer.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, i));
                }
            }
        });
    }

    private static Map<String, String> settings(final String... settings)
    {
        final Map<String, String> environment = new HashMap<>(Map.of("TUTTI_TRANSPORT", "verbs"));
        for (final String setting : settings)
        {
            final String[] parts = setting.split("=", 2);
            environment.put(parts[0], parts[1]);
        }
        return environment;
    }

    private static void execute(final String... words) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(words).inheritIO().start();
        assertEquals(0, process.waitFor(), () -> String.join(" ", words));
    }
}
