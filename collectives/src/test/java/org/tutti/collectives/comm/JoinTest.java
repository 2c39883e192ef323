/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.progress.WaitingThread;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks that join from code, as threads and processes, through a coordinator that a program starts. */
@Timeout(JoinTest.LIMIT_S)
class JoinTest
{
    static final int LIMIT_S = 300;

    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final String SECRET = "0123456789abcdef";

    private ExecutorService threads;

    @BeforeEach
    void startThreads()
    {
        threads = Executors.newCachedThreadPool();
    }

    @AfterEach
    void endThreads()
    {
        threads.shutdownNow();
    }

    private static Coordinator start(final int size)
    {
        return Coordinator.start(CoordinatorOptions.ofSize(size).address("127.0.0.1"));
    }

    /** Joins as a rank, and returns the sum of all rank numbers plus one. */
    private static int sum(final JoinOptions options)
    {
        try (Communicator communicator = Communicator.join(options))
        {
            return JoiningRank.sum(communicator);
        }
    }

    private List<Future<Integer>> startRanks(final Coordinator coordinator)
    {
        final List<Future<Integer>> sums = new ArrayList<>();
        for (int rank = 0; rank < coordinator.size(); rank++)
        {
            final JoinOptions options = JoinOptions.of(coordinator, rank);
            sums.add(threads.submit(() -> sum(options)));
        }
        return sums;
    }

    private static void assertSums(final int expected, final List<Future<Integer>> sums) throws Exception
    {
        for (final Future<Integer> sum : sums)
        {
            assertEquals(expected, sum.get());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldJoinThreadsOfOneProcess(final int size) throws Exception
    {
        try (Coordinator coordinator = start(size))
        {
            assertSums(size * (size + 1) / 2, startRanks(coordinator));
            assertNull(coordinator.failure());
        }
    }

    @Test
    void shouldJoinTwoJobsOfOneNameAtOnce() throws Exception
    {
        try (Coordinator first = start(2); Coordinator second = start(3))
        {
            final List<Future<Integer>> sums = startRanks(first);
            final List<Future<Integer>> others = startRanks(second);
            assertSums(3, sums);
            assertSums(6, others);
        }
    }

    /** The coordinator is in this process, with rank 0; the other ranks are processes. */
    @Test
    void shouldJoinThreadAndProcesses() throws Exception
    {
        try (Coordinator coordinator = start(3))
        {
            final List<Process> processes = new ArrayList<>();
            for (int rank = 1; rank < 3; rank++)
            {
                processes.add(JoiningRank.start(
                    List.of(), coordinator.address(), coordinator.secret(), Integer.toString(rank), "3", "sum"));
            }
            assertEquals(6, sum(JoinOptions.of(coordinator, 0)));
            for (final Process process : processes)
            {
                assertEquals("6\n", JoiningRank.output(process));
            }
        }
    }

    /** One of the ranks has created the directory that they share: whichever it is, the others go on. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldContinueWhenAnyRankOfTheHostHasLeft(final int leaving) throws Exception
    {
        final String name = "leaving-" + ProcessHandle.current().pid();
        try (Coordinator coordinator = Coordinator.start(
            CoordinatorOptions.ofSize(3).address("127.0.0.1").jobName(name)))
        {
            final CountDownLatch hasLeft = new CountDownLatch(1);
            final List<Future<Integer>> sums = new ArrayList<>();
            for (int number = 0; number < 3; number++)
            {
                final int rank = number;
                sums.add(threads.submit(() ->
                {
                    final Communicator part;
                    try (Communicator world = Communicator.join(JoinOptions.of(coordinator, rank)))
                    {
                        part = world.split(rank == leaving ? 0 : 1, rank);
                    }
                    try (part)
                    {
                        if (rank == leaving)
                        {
                            part.close();
                            hasLeft.countDown();
                            return 3;
                        }
                        hasLeft.await();
                        // Needs new files in shared memory.
                        try (Communicator copy = part.dup())
                        {
                            return JoiningRank.sum(copy);
                        }
                    }
                }));
            }
            assertSums(3, sums);
        }
        assertEquals(List.of(), directories("tutti-", name));
    }

    @Test
    void shouldLeaveNothingBehindAfterManyJobs() throws Exception
    {
        final int warmUp = 3;
        final int jobs = Integer.getInteger("tutti.test.jobs", 8);
        final String name = "many-" + ProcessHandle.current().pid();
        long threadsBefore = 0;
        long filesBefore = 0;
        for (int job = 0; job < jobs; job++)
        {
            if (job == warmUp)
            {
                threadsBefore = count("/proc/self/task");
                filesBefore = count("/proc/self/fd");
            }
            try (Coordinator coordinator = Coordinator.start(
                CoordinatorOptions.ofSize(2).address("127.0.0.1").jobName(name)))
            {
                final List<Future<Integer>> sums = startRanks(coordinator);
                assertSums(3, sums);
                assertEquals(List.of(), directories("tutti-", name));
            }
            assertEquals(List.of(), directories("tutti-", "coordinator-" + ProcessHandle.current().pid()));
        }
        assertEquals(List.of(), directories("tutti-", "rank0-" + ProcessHandle.current().pid()));

        // Threads of the JVM itself, and files that it maps, come and go.
        final long slack = 8;
        final long threadsAfter = count("/proc/self/task");
        final long filesAfter = count("/proc/self/fd");
        assertTrue(threadsAfter <= threadsBefore + slack, threadsBefore + " threads before, " + threadsAfter);
        assertTrue(filesAfter <= filesBefore + slack, filesBefore + " descriptors before, " + filesAfter);
    }

    private static long count(final String directory) throws IOException
    {
        try (Stream<Path> entries = Files.list(Path.of(directory)))
        {
            return entries.count();
        }
    }

    /** Returns the names of directories in shared memory that begin with a text and contain another one. */
    private static List<String> directories(final String prefix, final String part)
    {
        final String[] names = new File("/dev/shm").list();
        return names == null ? List.of() :
            Stream.of(names).filter(name -> name.startsWith(prefix) && name.contains(part)).toList();
    }

    /** The coordinator waits for the ranks, and the last one to leave gets an answer. */
    @Test
    void shouldLeaveWhenCoordinatorIsClosing() throws Exception
    {
        try (Coordinator coordinator = Coordinator.start(
            CoordinatorOptions.ofSize(2).address("127.0.0.1").heartbeatTimeout(Duration.ofHours(1))))
        {
            final CountDownLatch haveJoined = new CountDownLatch(2);
            final CountDownLatch isClosing = new CountDownLatch(1);
            final List<Future<?>> ranks = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++)
            {
                final JoinOptions options = JoinOptions.of(coordinator, rank);
                ranks.add(threads.submit(() ->
                {
                    try (Communicator communicator = Communicator.join(options))
                    {
                        haveJoined.countDown();
                        isClosing.await();
                        return communicator.size();
                    }
                }));
            }
            haveJoined.await();
            final Thread closing = Thread.ofPlatform().start(coordinator::close);
            WaitingThread.await(closing, "join");
            isClosing.countDown();
            for (final Future<?> rank : ranks)
            {
                // Without the answer, a rank waits for the heartbeat timeout.
                assertEquals(2, rank.get());
            }
            closing.join();
        }
    }

    @Test
    void shouldRefuseRankThatHasLeft() throws Exception
    {
        try (Coordinator coordinator = start(2))
        {
            assertSums(3, startRanks(coordinator));
            assertMessage("rank 1 cannot join job 'job': this rank has left the job, which a rank joins once: start " +
                "another job", JoinOptions.of(coordinator, 1));
        }
    }

    @Test
    void shouldStartAgainAtTheSamePort() throws Exception
    {
        final String address;
        try (Coordinator coordinator = start(2))
        {
            address = coordinator.address();
            assertSums(3, startRanks(coordinator));
        }
        try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(2).address(address)))
        {
            assertEquals(address, coordinator.address());
            assertSums(3, startRanks(coordinator));
        }
    }

    @Test
    void shouldRefuseSecondRankWithTheSameNumber() throws Exception
    {
        try (Coordinator coordinator = start(2))
        {
            final JoinOptions options = JoinOptions.of(coordinator, 0);
            final ExecutorCompletionService<Integer> ranks = new ExecutorCompletionService<>(threads);
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
    void shouldExplainChosenAddress()
    {
        try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(1)))
        {
            final String address = coordinator.address();
            final String host = address.substring(0, address.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
            assertTrue(coordinator.addressReason().startsWith(host + " ("), coordinator::addressReason);
            assertEquals(1, sum(JoinOptions.of(coordinator, 0)));
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
