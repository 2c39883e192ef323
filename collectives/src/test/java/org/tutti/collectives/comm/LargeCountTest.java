/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Tag("torture")
class LargeCountTest
{
    private static final long COUNT = (1L << 29) + 7;
    private static final long NEEDED_BYTES = 6L << 30;

    @Test
    void shouldTransferMoreThanTwoGibibytes() throws Exception
    {
        final FileStore store = Files.getFileStore(Path.of("/dev/shm"));
        final long free = Math.min(store.getUsableSpace(), availableMemory());
        if (free < NEEDED_BYTES)
        {
            System.out.println("skipped: needs " + NEEDED_BYTES + " bytes of shared memory, there are " + free);
        }
        Assumptions.assumeTrue(free >= NEEDED_BYTES);
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);

        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                try (DataBuffer buffer = communicator.allocate(DataType.FLOAT32, COUNT))
                {
                    final MemorySegment memory = buffer.segment();
                    final Random random = new Random(seed);
                    for (int i = 0; i < 2000; i++)
                    {
                        memory.setAtIndex(ValueLayout.JAVA_FLOAT, position(random, i), communicator.rank() + 1);
                    }

                    communicator.allreduce(buffer, ReduceOp.SUM);

                    final Random again = new Random(seed);
                    for (int i = 0; i < 2000; i++)
                    {
                        assertEquals(3, memory.getAtIndex(ValueLayout.JAVA_FLOAT, position(again, i)));
                    }

                    memory.setAtIndex(ValueLayout.JAVA_FLOAT, COUNT - 1, communicator.rank() == 1 ? 42 : 0);
                    communicator.broadcast(buffer, 1);
                    assertEquals(42, memory.getAtIndex(ValueLayout.JAVA_FLOAT, COUNT - 1));
                }
            });
        }
    }

    /** Returns positions at both ends, in the middle, and at random. */
    private static long position(final Random random, final int i)
    {
        return switch (i)
        {
            case 0 -> 0;
            case 1 -> COUNT - 1;
            case 2 -> (1L << 29) - 1;
            case 3 -> 1L << 29;
            case 4 -> COUNT / 2;
            default -> random.nextLong(COUNT);
        };
    }

    private static long availableMemory() throws Exception
    {
        for (final String line : Files.readAllLines(Path.of("/proc/meminfo")))
        {
            if (line.startsWith("MemAvailable:"))
            {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return 0;
    }
}
