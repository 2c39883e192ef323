/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Segments of a pool's buffers end with the buffers. */
class BufferSegmentsTest
{
    private static final String IN_USE = "a native call or an I/O operation uses the buffer's segment: close the " +
        "buffer when it has ended";

    private final CountingDomain domain = new CountingDomain();
    private final RegisteredMemoryPool pool = new RegisteredMemoryPool(domain);

    @AfterEach
    void shouldLeaveNothingBehind()
    {
        pool.close();
        assertEquals(0, domain.mapped.size());
    }

    @Test
    void shouldEndAccessWhenBufferIsClosed()
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        final MemorySegment segment = buffer.segment();
        final MemorySegment part = buffer.slice(8, 32).slice(8, 8).segment();
        final MemorySegment other = pool.allocate(64).segment();
        segment.set(JAVA_LONG, 16, 42);
        assertEquals(42, part.get(JAVA_LONG, 0));
        assertSame(segment, buffer.segment());

        buffer.close();

        assertThrows(IllegalStateException.class, () -> segment.set(JAVA_LONG, 16, 43));
        assertThrows(IllegalStateException.class, () -> part.get(JAVA_LONG, 0));
        other.set(JAVA_LONG, 0, 1);
    }

    @Test
    void shouldKeepAccessWhenOnlyASliceIsClosed()
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        final RegisteredBuffer slice = buffer.slice(8, 8);
        final MemorySegment part = slice.segment();

        slice.close();

        part.set(JAVA_LONG, 0, 42);
        assertEquals(42, buffer.segment().get(JAVA_LONG, 8));
    }

    @Test
    void shouldEndAccessWhenPoolIsClosed()
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        final MemorySegment segment = buffer.segment();

        pool.close();

        assertThrows(IllegalStateException.class, () -> segment.get(JAVA_INT, 0));
        assertThrows(IllegalStateException.class, buffer::segment);
        buffer.close();
    }

    @Test
    void shouldReturnMemoryOfTheUserAsItIs()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(64);
            final RegisteredBuffer buffer = pool.register(memory);
            final MemorySegment part = buffer.slice(8, 8).segment();

            assertSame(memory, buffer.segment());
            buffer.close();

            memory.set(JAVA_LONG, 8, 42);
            assertEquals(42, part.get(JAVA_LONG, 0));
            assertThrows(IllegalStateException.class, buffer::segment);
        }
    }

    @Test
    void shouldNotCloseBufferThatANativeCallUses() throws Throwable
    {
        final RegisteredBuffer buffer = pool.allocate(64);
        final MemorySegment segment = buffer.segment();

        assertEquals(IN_USE, failureInCallOf(segment, buffer::close).getMessage());

        assertFalse(buffer.isClosed());
        segment.set(JAVA_INT, 0, 1);
        buffer.close();
        assertThrows(IllegalStateException.class, () -> segment.set(JAVA_INT, 0, 1));
        assertEquals(0, pool.allocatedBytes());
    }

    @Test
    void shouldNotUnmapMemoryThatANativeCallUses() throws Throwable
    {
        final MemorySegment used = pool.allocate(64).segment();
        final MemorySegment unused = pool.allocate(64).segment();
        // In a region of its own.
        pool.allocate(RegisteredMemoryPool.MAX_REGION_LENGTH);
        assertEquals(2, domain.mapped.size());

        assertEquals(IN_USE, failureInCallOf(used, () ->
        {
            try
            {
                pool.close();
            }
            finally
            {
                used.set(JAVA_INT, 0, 1);
            }
        }).getMessage());

        assertEquals(1, domain.mapped.size());
        assertThrows(IllegalStateException.class, () -> unused.get(JAVA_INT, 0));
        pool.close();
        assertEquals(0, domain.mapped.size());
        assertThrows(IllegalStateException.class, () -> used.get(JAVA_INT, 0));
    }

    /** Returns what code throws that runs while a native call uses a segment: qsort calls it to compare elements. */
    private static RuntimeException failureInCallOf(final MemorySegment segment, final Runnable code) throws Throwable
    {
        final AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        final Comparator<MemorySegment> comparator = (_, _) ->
        {
            try
            {
                code.run();
            }
            catch (final RuntimeException e)
            {
                thrown.set(e);
            }
            return 0;
        };
        final Linker linker = Linker.nativeLinker();
        final MethodHandle sort = linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        final MethodHandle compare = MethodHandles.lookup()
            .findVirtual(Comparator.class, "compare", MethodType.methodType(int.class, Object.class, Object.class))
            .bindTo(comparator)
            .asType(MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        try (Arena arena = Arena.ofConfined())
        {
            sort.invokeExact(segment, 2L, (long)Integer.BYTES, linker.upcallStub(compare,
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), arena));
        }
        assertNotNull(thrown.get());
        return thrown.get();
    }
}
