/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.Uninterruptible;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.wireup.Team;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** With {@code TUTTI_PROGRESS=thread}, requests progress while no thread is in a call. */
class ProgressThreadTest
{
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(100);

    /** Without direct access, so that a call takes many steps, each after a message of the peer. */
    private static Ranks ranks(final String progress)
    {
        return new Ranks(2, Map.of("TUTTI_PROGRESS", progress, "TUTTI_DIRECT", "0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"thread", "thread:0", "thread:0,0,0"})
    void shouldCompleteRequestsWithoutCalls(final String progress)
    {
        try (Ranks ranks = ranks(progress))
        {
            ranks.run(communicator ->
            {
                for (int i = 0; i < 3; i++)
                {
                    completeAll(communicator);
                }
            });
        }
    }

    private static void completeAll(final Communicator communicator)
    {
        final int peer = 1 - communicator.rank();
        final List<DataBuffer> buffers = Stream.generate(() -> communicator.allocate(DataType.INT32, 1 << 18))
            .limit(4).toList();
        try (PersistentRequest persistent = communicator.allreduceInit(buffers.get(1), ReduceOp.SUM))
        {
            buffers.forEach(buffer -> buffer.segment().fill((byte)1));
            final Request first = communicator.iallreduce(buffers.get(0), ReduceOp.SUM);
            persistent.start();
            final Request received = communicator.irecv(buffers.get(2), peer);
            final Request sent = communicator.isend(buffers.get(3), peer);
            for (final Request request : List.of(persistent, first, received, sent))
            {
                // isDone makes no progress.
                Uninterruptible.parkUntil(request::isDone, LIMIT_NS);
                assertTrue(request.isDone());
            }
            assertEquals(0x02020202, buffers.get(0).segment().getAtIndex(JAVA_INT, 17));
            assertEquals(0x02020202, buffers.get(1).segment().getAtIndex(JAVA_INT, 17));
        }
        buffers.forEach(DataBuffer::close);
    }

    @Test
    void shouldCompleteFutureExceptionallyWhenARequestTimesOut()
    {
        final CountDownLatch hasFailed = new CountDownLatch(1);
        try (Ranks ranks = ranks("thread"))
        {
            final Throwable thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                if (communicator.rank() == 1)
                {
                    assertTrue(hasFailed.await(60, TimeUnit.SECONDS));
                    return;
                }
                try
                {
                    communicator.withTimeout(Duration.ofMillis(300)).ibarrier().toFuture().get(60, TimeUnit.SECONDS);
                }
                finally
                {
                    hasFailed.countDown();
                }
            }).getFirst();

            assertTrue(assertInstanceOf(CollectiveException.class, thrown.getCause()).getMessage()
                .contains("timed out after 0.3 s"), thrown::toString);
        }
    }

    @Test
    void shouldPinTheThread()
    {
        final CountDownLatch isPinned = new CountDownLatch(1);
        try (Ranks ranks = ranks("thread:0"))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    isPinned.await();
                }
                final Request barrier = communicator.ibarrier();
                if (communicator.rank() == 0)
                {
                    // The request is pending, so the thread of rank 0 starts, and pins itself first.
                    while (threads().noneMatch(task -> status(task).contains("Cpus_allowed_list:\t0\n")))
                    {
                        Thread.onSpinWait();
                    }
                    isPinned.countDown();
                }
                barrier.await();
            });
        }
    }

    private static Stream<Path> threads() throws IOException
    {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task")))
        {
            // The kernel keeps 15 characters of a name.
            return tasks.filter(task -> read(task.resolve("comm")).startsWith("tutti-progress")).toList().stream();
        }
    }

    private static String status(final Path task)
    {
        return read(task.resolve("status"));
    }

    /** Returns an empty text if the thread has ended. */
    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException gone)
        {
            return "";
        }
    }

    @Test
    void shouldRejectAProcessorThatDoesNotExist()
    {
        final EngineConfiguration configuration =
            EngineConfiguration.of(Map.of("TUTTI_PROGRESS", "thread:8191"));
        final String message = assertThrows(ConfigurationException.class,
            () -> Team.connect(InMemoryBootstrap.group(1).getFirst(), configuration)).getMessage();

        assertTrue(message.startsWith("TUTTI_PROGRESS='thread:8191' is not possible: processor 8191 does not exist"),
            message);
    }
}
