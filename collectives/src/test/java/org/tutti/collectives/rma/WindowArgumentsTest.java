/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.comm.Ranks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that calls of a window with invalid arguments are rejected, and the window stays usable. */
@Timeout(60)
class WindowArgumentsTest
{
    /** An operation on a window. */
    private interface Use
    {
        void with(Window window, DataBuffer buffer);
    }

    static Stream<Arguments> invalidUses()
    {
        return Stream.of(
            invalid("beyond the end", (w, b) -> w.put(b, 0, 10, 1, 11), "exceeds the window of rank 1, which has 20"),
            invalid("before the start", (w, b) -> w.get(b, 0, 1, 1, -1), "exceeds the window of rank 1"),
            invalid("an overflow", (w, b) -> w.put(b, 0, 1, 1, Long.MAX_VALUE), "exceeds the window of rank 1"),
            invalid("beyond the source", (w, b) -> w.iput(b, 5, 6, 1, 0), "exceeds source, which has 10"),
            invalid("beyond the target", (w, b) -> w.iget(b, 0, 11, 1, 0), "exceeds target, which has 10"),
            invalid("an overflow of the source", (w, b) -> w.put(b, 1, Long.MAX_VALUE, 1, 0), "exceeds source"),
            invalid("a negative count", (w, b) -> w.put(b, 1, -1, 1, 0), "exceeds source"),
            invalid("no rank", (w, b) -> w.put(b, 0, 1, 2, 0), "rank=2: must be from 0 to 1"),
            invalid("a negative rank", (w, b) -> w.waitSignal(-1, 0, 1), "rank=-1: must be from 0 to 1"),
            invalid("no signal", (w, b) -> w.putSignal(b, 0, 1, 1, 0, 4), "signal=4: must be from 0 to 3"),
            invalid("a negative signal", (w, b) -> w.signal(1, -1), "signal=-1: must be from 0 to 3"),
            invalid("no signals", (w, b) -> w.waitSignal(1, 0, 0), "count=0: must be at least 1"),
            invalid("no timeout", (w, b) -> w.withTimeout(Duration.ZERO), "timeout=PT0S: must be greater than 0"));
    }

    private static Arguments invalid(final String name, final Use use, final String message)
    {
        return Arguments.of(name, use, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalidUses")
    void shouldRejectInvalidArgumentsAndStayUsable(final String name, final Use use, final String message)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 10);
                final DataBuffer memory = communicator.allocate(DataType.INT32, 20);
                try (Window window = communicator.window(memory, 4))
                {
                    final RuntimeException thrown =
                        assertThrows(RuntimeException.class, () -> use.with(window, buffer));
                    assertTrue(thrown instanceof IllegalArgumentException ||
                        thrown instanceof IndexOutOfBoundsException, thrown::toString);
                    assertTrue(thrown.getMessage().contains(message), thrown::getMessage);
                    window.putSignal(buffer, 0, 10, 1 - communicator.rank(), 10, 3);
                    window.waitSignal(1 - communicator.rank(), 3, 1);
                }
                // No request holds the buffer.
                buffer.close();
            });
        }
    }

    @Test
    void shouldRejectIncompatibleBuffers()
    {
        try (Ranks ranks = new Ranks(1); Ranks others = new Ranks(1))
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer memory = communicator.allocate(DataType.INT32, 20);
            final DataBuffer floats = communicator.allocate(DataType.FLOAT32, 20);
            final DataBuffer foreign = others.communicator(0).allocate(DataType.INT32, 20);
            assertThrows(IllegalArgumentException.class, () -> communicator.window(foreign));
            assertThrows(IllegalArgumentException.class, () -> communicator.window(memory, 0));
            assertThrows(IllegalArgumentException.class,
                () -> communicator.window(memory, Window.MAX_SIGNALS + 1));
            try (Window window = communicator.window(memory))
            {
                assertThrows(IllegalArgumentException.class, () -> window.put(foreign, 0, 1, 0, 0));
                final String message = assertThrows(
                    IllegalArgumentException.class, () -> window.put(floats, 0, 1, 0, 0)).getMessage();
                assertTrue(message.contains("source and window types differ: float != int32"), message);
                assertTrue(assertThrows(IllegalArgumentException.class,
                    () -> window.put(memory, 0, 10, 0, 5)).getMessage().contains("overlap by 20 bytes"));
                assertThrows(IllegalStateException.class, memory::close);
            }
            memory.close();
            assertThrows(IllegalStateException.class, () -> communicator.window(memory));
        }
    }

    @Test
    void shouldRejectCallsWhenWindowIsClosed()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.INT32, 20);
                final Window window = communicator.window(memory);
                final Request request = window.iput(memory, 0, 10, 1 - communicator.rank(), 10);
                window.close();
                assertTrue(request.test());
                for (final Use use : List.<Use>of(
                    (w, b) -> w.put(b, 0, 1, 0, 0), (w, b) -> w.iget(b, 0, 1, 1, 0), (w, b) -> w.signal(1, 0),
                    (w, b) -> w.waitSignal(1, 0, 1), (w, b) -> w.testSignal(1, 0, 1), (w, b) -> w.flush(),
                    (w, b) -> w.fence()))
                {
                    final String message = assertThrows(
                        IllegalStateException.class, () -> use.with(window, memory)).getMessage();
                    assertTrue(message.contains("the window is closed"), message);
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void shouldRejectFenceInAGroup()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                    Window window = communicator.window(memory))
                {
                    communicator.group(() ->
                    {
                        final String message =
                            assertThrows(IllegalStateException.class, window::fence).getMessage();
                        assertTrue(message.contains("in a group of the communicator"), message);
                    });
                    window.fence();
                }
            });
        }
    }
}
