/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.comm.JoiningThreads.start;
import static org.tutti.collectives.comm.JoiningThreads.sum;

/** A rank or coordinator that cannot join or start from code reports what is wrong, and the fix. */
@Timeout(JoiningThreads.LIMIT_S)
class JoinFromCodeErrorsTest
{
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final String SECRET = "0123456789abcdef";

    @RegisterExtension
    private final JoiningThreads threads = new JoiningThreads();

    @Test
    void shouldRefuseRankThatHasLeft() throws Exception
    {
        try (Coordinator coordinator = start(2))
        {
            final Future<Integer> first = threads.submit(() -> sum(JoinOptions.of(coordinator, 0)));
            assertEquals(3, sum(JoinOptions.of(coordinator, 1)));
            assertEquals(3, first.get());
            assertMessage("rank 1 cannot join job 'job': this rank has left the job, which a rank joins once: start " +
                "another job", JoinOptions.of(coordinator, 1));
        }
    }

    @Test
    void shouldRefuseSecondRankWithTheSameNumber() throws Exception
    {
        try (Coordinator coordinator = start(2))
        {
            final JoinOptions options = JoinOptions.of(coordinator, 0);
            final ExecutorCompletionService<Integer> ranks = new ExecutorCompletionService<>(threads.executor());
            ranks.submit(() -> sum(options));
            ranks.submit(() -> sum(options));

            final Throwable thrown = assertThrows(ExecutionException.class, () -> ranks.take().get()).getCause();
            assertTrue(thrown.getMessage().matches("rank 0 cannot join job 'job': another process with this rank has " +
                "already joined, on .* \\(pid [0-9]+\\)"), thrown::getMessage);
            // The other one is not disturbed.
            assertEquals(3, sum(JoinOptions.of(coordinator, 1)));
            assertEquals(3, ranks.take().get());
        }
    }

    @Test
    void shouldRefuseRankWithAnotherSize()
    {
        try (Coordinator coordinator = start(2))
        {
            assertMessage("rank 1 cannot join job 'job': its job has 3 ranks, the coordinator's job 2: give " +
                "all the same number (WORLD_SIZE, or JoinOptions.of)",
                JoinOptions.of(1, 3).coordinator(coordinator.address()).secret(coordinator.secret()));
        }
    }

    @Test
    void shouldRefuseRankOfAnotherJob()
    {
        try (Coordinator coordinator = start(2))
        {
            assertMessage("rank 1 cannot join job 'other': it belongs to job 'other', the coordinator to job 'job': " +
                "give all the same name (TUTTI_JOB_ID, or JoinOptions.jobName)",
                JoinOptions.of(coordinator, 1).jobName("other"));
        }
    }

    @Test
    void shouldNameDifferentSettingsOfBothRanks() throws Exception
    {
        try (Coordinator coordinator = start(2))
        {
            final Future<Integer> first = threads.submit(() -> sum(JoinOptions.of(coordinator, 0).fusion(1024)));
            final Future<Integer> second = threads.submit(() -> sum(JoinOptions.of(coordinator, 1).fusion(2048)));

            for (final Future<Integer> rank : List.of(first, second))
            {
                final String message = assertThrows(ExecutionException.class, rank::get).getCause().getMessage();
                assertTrue(message.contains("TUTTI_FUSION differs: "), message);
                assertTrue(message.contains(" has 1024") && message.contains(" has 2048"), message);
            }
        }
    }

    @Test
    void shouldReportMissingCoordinatorInTime()
    {
        final String address;
        final String secret;
        try (Coordinator coordinator = start(2))
        {
            address = coordinator.address();
            secret = coordinator.secret();
        }

        final String message = message(JoinOptions.of(1, 2).coordinator(address).secret(secret).joinTimeout(SHORT));
        assertTrue(message.startsWith("rank 1 did not reach the coordinator of job 'job' within 2 s: nothing listens " +
            "at " + address), message);
        assertTrue(message.contains("a loopback address reaches this host only"), message);
    }

    @Test
    void shouldReportMissingRankInTime()
    {
        try (Coordinator coordinator = start(2))
        {
            final String message = message(JoinOptions.of(coordinator, 0).joinTimeout(Duration.ofSeconds(5)));
            assertEquals("rank 0 has joined job 'job', but others have not: allgather 'tutti.join' timed out after " +
                "5 s: 1 of 2 ranks missing: 1", message);
        }
    }

    @Test
    void shouldIgnoreRankWithAnotherSecret()
    {
        try (Coordinator coordinator = start(2))
        {
            final String message = message(JoinOptions.of(coordinator, 1).secret(SECRET).joinTimeout(SHORT));
            assertTrue(message.contains("the coordinator has another secret and ignores this rank"), message);
            assertTrue(!message.contains(SECRET) && !message.contains(coordinator.secret()), message);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2|2|127.0.0.1:1|0123456789abcdef|tutti.rank='2' is not an integer from 0 to 1",
        "0|0|127.0.0.1:1|0123456789abcdef|tutti.size='0' is not an integer from 1 to 1048576",
        "0|2||0123456789abcdef|tutti.coordinator is not set: start a coordinator in one process by " +
            "Coordinator.start, and give its address() to all 2 ranks",
        "0|2|127.0.0.1|0123456789abcdef|tutti.coordinator='127.0.0.1' is not an address: give host:port or " +
            "[IPv6]:port, as the coordinator's address() returns it",
        "0|2|::1:80|0123456789abcdef|tutti.coordinator='::1:80' is not an address: give host:port or [IPv6]:port, as " +
            "the coordinator's address() returns it",
        "0|2|127.0.0.1:1||tutti.secret is not set: give all ranks the coordinator's secret()",
        "0|2|127.0.0.1:1|0123456789abcde|tutti.secret has 15 characters: must have 16 to 256, such as the 32 that a " +
            "coordinator generates"})
    void shouldRejectInvalidOptions(
        final int rank, final int size, final String address, final String secret, final String message)
    {
        final JoinOptions options = JoinOptions.of(rank, size);
        if (address != null)
        {
            options.coordinator(address);
        }
        if (secret != null)
        {
            options.secret(secret);
        }

        assertMessage(message, options);
    }

    @Test
    void shouldRejectInvalidCoordinatorOptions()
    {
        assertRefused("the number of ranks is 0: must be 1 to 1048576", CoordinatorOptions.ofSize(0));
        assertRefused("the coordinator's rank is 2: must be 0 to 1, or -1 if its process is that of no rank or of " +
            "several", CoordinatorOptions.ofSize(2).rank(2));
        assertRefused("tutti.secret has 5 characters: must have 16 to 256, such as the 32 that a coordinator generates",
            CoordinatorOptions.ofSize(2).secret("short"));
        assertRefused("the coordinator's address is '127.0.0.1:65536': its port must be 0, for one that the kernel " +
            "chooses, to 65535", CoordinatorOptions.ofSize(2).address("127.0.0.1:65536"));
        assertRefused("invalid job id 'a b': must be 1 to 64 letters, digits, '.', '_' and '-', not starting with '.'",
            CoordinatorOptions.ofSize(2).jobName("a b"));
        assertRefused("the heartbeat timeout is PT0S: must be from PT1S to PT24H",
            CoordinatorOptions.ofSize(2).heartbeatTimeout(Duration.ZERO));
        final String message = refusal(CoordinatorOptions.ofSize(2).address("203.0.113.7"));
        assertTrue(message.startsWith("'203.0.113.7' is not an address, interface or network of this host: give one " +
            "of "), message);
    }

    @Test
    void shouldNamePortInUse()
    {
        try (Coordinator coordinator = start(2))
        {
            final String message = refusal(CoordinatorOptions.ofSize(2).address(coordinator.address()));
            assertTrue(message.startsWith("the coordinator cannot listen at " + coordinator.address() + ": "), message);
            assertTrue(message.endsWith("give another address or a free UDP port, or port 0"), message);
        }
    }

    @Test
    void shouldNameSettingThatASetterGot()
    {
        assertEquals("tutti.timeout='PT-1S' is not a duration: give a number above 0 and a unit (ms, s, m, h), such " +
            "as 30s or 1.5m", assertThrows(ConfigurationException.class, () -> Communicator.join(
                JoinOptions.of(0, 1).timeout(Duration.ofSeconds(-1)))).getMessage());
        assertEquals("tutti.outstanding='17' is not a number from 1 to 16", assertThrows(ConfigurationException.class,
            () -> Communicator.join(JoinOptions.of(0, 1).outstanding(17))).getMessage());
        assertEquals("tutti.transport must not be blank: do not set it, to use the default",
            assertThrows(IllegalArgumentException.class, () -> JoinOptions.of(0, 1).transport(" ")).getMessage());
    }

    /** The check precedes the first use of Agrona, whose own errors do not name the option. */
    @ParameterizedTest
    @ValueSource(strings = {"alone", "coordinator"})
    void shouldNameMissingOptionOfTheJvm(final String what) throws Exception
    {
        final String output = outputOfPlainJvm(what);

        assertTrue(output.contains("error: this JVM does not let Agrona access memory: start it " +
            "with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED"), output);
    }

    @Test
    void shouldReportOptionThatMakesReductionsFasterOnce() throws Exception
    {
        final String notice = "tutti: reductions of some types are slower in this JVM: start it with --add-exports " +
            "java.base/jdk.internal.module=ALL-UNNAMED\n";
        final String[] required = {
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"};

        assertEquals(notice + "1\n1\n", outputOfPlainJvm("alone", required));
        assertEquals("1\n1\n", outputOfPlainJvm(
            "alone", required[0], required[1], "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED"));
    }

    /** Runs {@link JoiningRank} with the given options only. */
    private static String outputOfPlainJvm(final String argument, final String... options) throws IOException
    {
        final List<String> command = new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), JoiningRank.class.getName(), argument));
        return JoiningRank.output(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private static void assertMessage(final String expected, final JoinOptions options)
    {
        assertEquals(expected, message(options));
    }

    private static String message(final JoinOptions options)
    {
        return assertThrows(BootstrapException.class, () -> sum(options)).getMessage();
    }

    private static void assertRefused(final String expected, final CoordinatorOptions options)
    {
        assertEquals(expected, refusal(options));
    }

    private static String refusal(final CoordinatorOptions options)
    {
        return assertThrows(BootstrapException.class, () -> Coordinator.start(options)).getMessage();
    }
}
