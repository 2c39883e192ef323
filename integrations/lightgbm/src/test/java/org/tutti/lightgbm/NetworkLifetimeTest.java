/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The memory of a network while it begins, and while another thread ends it. */
class NetworkLifetimeTest
{
    private static final String INIT = "LGBM_NetworkInitWithFunctions";

    /** Fails as a C function does. */
    static int fail(final int size, final int rank, final MemorySegment reduceScatter, final MemorySegment allgather)
    {
        return -1;
    }

    /** Returns the functions of LightGBM, of which that which begins a network fails. */
    private static SymbolLookup failing(final Arena arena) throws ReflectiveOperationException
    {
        final MethodHandle target = MethodHandles.lookup().findStatic(NetworkLifetimeTest.class, "fail",
            MethodType.methodType(int.class, int.class, int.class, MemorySegment.class, MemorySegment.class));
        final MemorySegment stub = Linker.nativeLinker().upcallStub(target, FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
            ValueLayout.ADDRESS), arena);
        final SymbolLookup real = SymbolLookup.libraryLookup(System.mapLibraryName("_lightgbm"), arena);
        return name -> INIT.equals(name) ? Optional.of(stub) : real.find(name);
    }

    @Test
    void shouldFreeFunctionsWhenLightGbmRejectsThem()
    {
        LocalJob.run(2, communicator ->
        {
            LightGbmLibrary.load(communicator);
            final Arena functions = Arena.ofConfined();
            try (Arena arena = Arena.ofConfined())
            {
                final LightGbmLibrary library = new LightGbmLibrary(failing(arena));
                final IllegalStateException error = assertThrows(IllegalStateException.class,
                    () -> new NetworkFunctions(communicator, library, functions));
                assertTrue(error.getMessage().startsWith("LightGBM reports: "), error.getMessage());
            }
            assertFalse(functions.scope().isAlive());
            final Shard shard = new Shard(communicator.rank());
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                assertTrue(shard.train(network, network.parameters(Shard.PARAMETERS), 1).contains("Tree=0"));
            }
        });
    }

    @Test
    void shouldFreeFunctionsWhenClosed()
    {
        LocalJob.run(2, communicator ->
        {
            final Arena arena = Arena.ofConfined();
            new NetworkFunctions(communicator, LightGbmLibrary.load(communicator), arena).close();
            assertFalse(arena.scope().isAlive());
        });
    }

    /**
     * Spark closes the communicator of a task that it kills, by another thread. Here that happens when a collective has
     * returned, before LightGBM's memory and that of the exchange are accessed by address. This JVM survives.
     */
    @ParameterizedTest
    @CsvSource({"allgatherv, 0", "allgatherv, 2", "allgatherv, 9", "alltoallv, 0", "alltoallv, 3"})
    void shouldThrowWhenAnotherThreadClosesTheCommunicator(final String method, final int exchange)
    {
        final AtomicInteger closed = new AtomicInteger();
        LocalJob.run(2, communicator ->
        {
            final AtomicInteger exchanges = new AtomicInteger();
            final Communicator intercepted = InterceptedCommunicator.of(communicator, name -> {}, name ->
            {
                if (name.equals(method) && exchanges.getAndIncrement() == exchange)
                {
                    closed.incrementAndGet();
                    closeByOtherThread(communicator);
                }
            });
            final Shard shard = new Shard(communicator.rank());
            final RuntimeException error = assertThrows(RuntimeException.class, () ->
            {
                try (LightGbmNetwork network = TuttiLightGbm.network(intercepted))
                {
                    shard.train(network, network.parameters(Shard.PARAMETERS), 3);
                }
            });
            assertTrue(error instanceof CollectiveException || error instanceof IllegalStateException,
                error::toString);
        });
        assertTrue(closed.get() > 0);
    }

    private static void closeByOtherThread(final Communicator communicator)
    {
        final Thread closing = Thread.ofPlatform().start(() -> close(communicator));
        try
        {
            closing.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes a communicator; that other ranks are not where this one is does not matter. */
    @SuppressWarnings("EmptyCatch")
    private static void close(final Communicator communicator)
    {
        try
        {
            communicator.close();
        }
        catch (final CollectiveException ex)
        {
            // The rank reports it.
        }
    }
}
