/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
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
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.comm.JoiningThreads.start;
import static org.tutti.collectives.comm.JoiningThreads.sum;

/** Ranks that join from code, as threads and processes, through a coordinator that a program starts. */
@Timeout(JoiningThreads.LIMIT_S)
class JoinFromCodeTest
{
    @RegisterExtension
    private final JoiningThreads threads = new JoiningThreads();

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
}
