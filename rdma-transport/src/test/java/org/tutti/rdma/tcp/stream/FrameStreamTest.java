/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.List;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that frames survive writes and reads that end at any byte, and that a changed byte is noticed. */
class FrameStreamTest
{
    /** A channel that takes or gives a few bytes at a time, or none. */
    private static final class Pipe implements GatheringByteChannel, ScatteringByteChannel
    {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Random random;
        private int taken;

        Pipe(final long seed)
        {
            random = new Random(seed);
        }

        @Override
        public int write(final ByteBuffer source)
        {
            final int count = Math.min(source.remaining(), random.nextInt(4000));
            for (int i = 0; i < count; i++)
            {
                bytes.write(source.get());
            }
            return count;
        }

        @Override
        public long write(final ByteBuffer[] sources, final int offset, final int length)
        {
            long total = 0;
            for (int i = offset; i < offset + length; i++)
            {
                total += write(sources[i]);
                if (sources[i].hasRemaining())
                {
                    break;
                }
            }
            return total;
        }

        @Override
        public long write(final ByteBuffer[] sources)
        {
            return write(sources, 0, sources.length);
        }

        @Override
        public int read(final ByteBuffer target)
        {
            final byte[] all = bytes.toByteArray();
            final int count = Math.min(Math.min(target.remaining(), all.length - taken), random.nextInt(4000));
            target.put(all, taken, count);
            taken += count;
            return count;
        }

        @Override
        public long read(final ByteBuffer[] targets, final int offset, final int length)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(final ByteBuffer[] targets)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen()
        {
            return true;
        }

        @Override
        public void close()
        {
            // Nothing to close.
        }
    }

    @Property(tries = 200)
    void shouldReadTheFramesThatWereWritten(@ForAll @Size(min = 1, max = 12)
        final List<@IntRange(max = 65_504) Integer> lengths, @ForAll final long seed) throws IOException
    {
        final Pipe pipe = new Pipe(seed);
        final FrameWriter writer = new FrameWriter(new Checksum(true));
        final FrameReader reader = new FrameReader(new Checksum(true));
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(1 << 17);
            for (long i = 0; i < memory.byteSize(); i++)
            {
                memory.set(JAVA_BYTE, i, (byte)(i * 31));
            }
            for (int i = 0; i < lengths.size(); i++)
            {
                add(writer, memory.address() + i, lengths.get(i), i);
                while (!writer.hasRoom() || i == lengths.size() - 1)
                {
                    if (writer.write(pipe))
                    {
                        break;
                    }
                }
            }
            for (int i = 0; i < lengths.size(); i++)
            {
                check(pipe, reader, memory.asSlice(i, lengths.get(i)), i);
            }
            assertEquals(0, reader.available());
        }
    }

    private static void add(final FrameWriter writer, final long address, final int length, final int number)
    {
        final long frame = writer.begin(Fpdu.TAGGED_HEADER);
        Fpdu.putTagged(frame, Fpdu.WRITE, true, number, number, length);
        final int half = length / 2;
        writer.add(address, half, length <= FrameWriter.COPY_LIMIT);
        writer.add(address + half, length - half, length <= FrameWriter.COPY_LIMIT);
        writer.end();
    }

    private static void check(
        final Pipe pipe, final FrameReader reader, final MemorySegment expected, final int number) throws IOException
    {
        final int length = Fpdu.TAGGED_HEADER + (int)expected.byteSize();
        final int padded = length + Fpdu.pad(length);
        while (reader.available() < padded + Fpdu.CRC_SIZE)
        {
            reader.read(pipe, false);
        }
        final long frame = reader.address();
        assertTrue(Fpdu.isValid(frame));
        assertEquals(length, Fpdu.length(frame));
        assertEquals(number, Fpdu.stag(frame));
        assertTrue(reader.isIntact(0, padded));
        final MemorySegment whole = MemorySegment.ofAddress(frame).reinterpret(padded);
        assertEquals(-1, whole.asSlice(Fpdu.TAGGED_HEADER, expected.byteSize()).mismatch(expected));
        final long at = number * 7919L % padded;
        final byte before = whole.get(JAVA_BYTE, at);
        whole.set(JAVA_BYTE, at, (byte)(before ^ 4));
        assertFalse(reader.isIntact(0, padded));
        reader.consume(padded + Fpdu.CRC_SIZE);
    }
}
