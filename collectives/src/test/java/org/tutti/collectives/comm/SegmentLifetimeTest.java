/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.JoinOptions;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Access to a buffer's memory ends when the buffer or the communicator is closed. */
@Timeout(JoiningThreads.LIMIT_S)
class SegmentLifetimeTest
{
    private static final int COUNT = 1 << 16;

    @RegisterExtension
    private final JoiningThreads threads = new JoiningThreads();

    @Test
    void shouldEndAccessWhenBufferIsClosed()
    {
        try (Communicator communicator = Communicator.join(JoinOptions.of(0, 1)))
        {
            final DataBuffer buffer = communicator.allocate(DataType.INT64, 8);
            final MemorySegment elements = buffer.segment();
            final MemorySegment part = buffer.slice(2, 3).segment();
            elements.setAtIndex(JAVA_LONG, 3, 42);
            assertEquals(42, part.getAtIndex(JAVA_LONG, 1));

            buffer.close();

            assertThrows(IllegalStateException.class, () -> elements.setAtIndex(JAVA_LONG, 3, 43));
            assertThrows(IllegalStateException.class, () -> part.getAtIndex(JAVA_LONG, 1));
        }
    }

    @Test
    void shouldKeepAccessToMemoryOfTheCaller()
    {
        try (Communicator communicator = Communicator.join(JoinOptions.of(0, 1)); Arena arena = Arena.ofShared())
        {
            final DataBuffer buffer = communicator.register(DataType.INT64, arena.allocate(JAVA_LONG, 8));
            final MemorySegment elements = buffer.segment();
            assertEquals(arena.scope(), elements.scope());

            buffer.close();

            elements.setAtIndex(JAVA_LONG, 3, 42);
        }
    }

    /** The next buffer has the memory of the closed one. */
    @Test
    void shouldEndThreadThatWritesBeforeMemoryIsReused() throws Exception
    {
        try (Communicator communicator = Communicator.join(JoinOptions.of(0, 1)))
        {
            final DataBuffer buffer = communicator.allocate(DataType.INT64, COUNT);
            final MemorySegment elements = buffer.segment();
            final CountDownLatch hasWritten = new CountDownLatch(1);
            final AtomicBoolean mustEnd = new AtomicBoolean();
            final Future<Long> writing = threads.submit(() ->
            {
                // Once it is asked to end, it writes all elements once more.
                for (long value = 1; true; value++)
                {
                    final boolean isLast = mustEnd.get();
                    for (int i = 0; i < COUNT; i++)
                    {
                        elements.setAtIndex(JAVA_LONG, i, value);
                    }
                    hasWritten.countDown();
                    if (isLast)
                    {
                        return value;
                    }
                }
            });
            hasWritten.await();

            buffer.close();

            try (DataBuffer next = communicator.allocate(DataType.INT64, COUNT))
            {
                mustEnd.set(true);
                assertInstanceOf(IllegalStateException.class,
                    assertThrows(ExecutionException.class, writing::get).getCause());
                assertArrayEquals(new long[COUNT], next.segment().toArray(JAVA_LONG));
            }
        }
    }

    /** In a process of its own: a write to memory that is unmapped would crash the JVM. */
    @Test
    void shouldNotCrashWhenAThreadWritesWhileTheCommunicatorIsClosed() throws Exception
    {
        final Process process = JoiningRank.start(WritingProcess.class, List.of(), "5");
        try
        {
            assertEquals("closed\n".repeat(5), JoiningRank.output(process));
            assertEquals(0, process.waitFor());
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
