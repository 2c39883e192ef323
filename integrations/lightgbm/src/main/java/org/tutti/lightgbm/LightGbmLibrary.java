/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.Communicator;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/** LightGBM's native library, which lightgbm4j loads. */
final class LightGbmLibrary
{
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle REDUCE =
        LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    private final MethodHandle init;
    private final MethodHandle free;
    private final MethodHandle lastError;
    private final MethodHandle aliases;
    private MemorySegment reducer = MemorySegment.NULL;

    /** Result of loading the library on this rank. */
    private record Attempt(LightGbmLibrary library, LibraryProblem problem, Throwable error)
    {
        /** Returns the platform and the linker's message; empty if the library is loaded. */
        String reason()
        {
            return error == null ? "" : System.getProperty("os.name") + " on " + System.getProperty("os.arch") + ": " +
                (error instanceof UnsatisfiedLinkError ? error.getMessage() : error);
        }
    }

    /**
     * Links the functions.
     *
     * @param symbols functions of LightGBM.
     * @throws NoSuchElementException if one is missing.
     */
    LightGbmLibrary(final SymbolLookup symbols)
    {
        init = LINKER.downcallHandle(symbols.findOrThrow("LGBM_NetworkInitWithFunctions"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        free = LINKER.downcallHandle(symbols.findOrThrow("LGBM_NetworkFree"), FunctionDescriptor.of(JAVA_INT));
        lastError = LINKER.downcallHandle(symbols.findOrThrow("LGBM_GetLastError"), FunctionDescriptor.of(ADDRESS));
        aliases = LINKER.downcallHandle(symbols.findOrThrow("LGBM_DumpParamAliases"),
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));
    }

    /**
     * Loads the library on all ranks, or reports which ranks cannot. Collective.
     *
     * @param communicator the ranks.
     * @return the library.
     * @throws LightGbmException on all ranks if some cannot load it.
     */
    static LightGbmLibrary load(final Communicator communicator)
    {
        final Attempt own = attempt();
        final int[] ordinals = new int[communicator.size()];
        communicator.allgather(new int[] {own.problem().ordinal()}, ordinals);
        final Map<LibraryProblem, List<Integer>> ranks = new EnumMap<>(LibraryProblem.class);
        for (int rank = 0; rank < ordinals.length; rank++)
        {
            ranks.computeIfAbsent(LibraryProblem.values()[ordinals[rank]], problem -> new ArrayList<>()).add(rank);
        }
        ranks.remove(LibraryProblem.NONE);
        if (ranks.isEmpty())
        {
            return own.library();
        }
        final List<String> reasons = SettingsComparison.gather(communicator, own.reason());
        final List<String> parts = new ArrayList<>();
        ranks.forEach((problem, on) -> parts.add("on " + LightGbmException.name(on) + ": " + problem.text() +
            (problem == LibraryProblem.NO_JAR ? "" : " (rank " + on.getFirst() + ", " + reasons.get(on.getFirst()) +
            ")")));
        throw new LightGbmException("cannot load LightGBM " + String.join("; ", parts), own.error(),
            ranks.values().stream().flatMap(List::stream).sorted().toList());
    }

    private static Attempt attempt()
    {
        final LibraryLoader loader = new LibraryLoader();
        final LibraryProblem problem = loader.load();
        if (problem != LibraryProblem.NONE)
        {
            return new Attempt(null, problem, loader.error());
        }
        try
        {
            // Finds the library that is loaded, from any class loader.
            return new Attempt(new LightGbmLibrary(SymbolLookup.libraryLookup(
                System.mapLibraryName("_lightgbm"), Arena.global())), LibraryProblem.NONE, null);
        }
        catch (final IllegalArgumentException | NoSuchElementException ex)
        {
            return new Attempt(null, LibraryProblem.NO_FUNCTION, ex);
        }
    }

    /**
     * Returns the names of LightGBM's parameters.
     *
     * @return names.
     */
    ParameterNames parameterNames()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment length = arena.allocate(JAVA_LONG);
            requireSuccess((int)aliases.invokeExact(0L, length, MemorySegment.NULL));
            final long bytes = length.get(JAVA_LONG, 0);
            final MemorySegment text = arena.allocate(bytes);
            requireSuccess((int)aliases.invokeExact(bytes, length, text));
            return new ParameterNames(text.getString(0));
        }
        catch (final Throwable ex)
        {
            throw unchecked(ex);
        }
    }

    /**
     * Makes the calling thread a rank of a network.
     *
     * @param size          number of ranks, at least 2.
     * @param rank          rank of this thread.
     * @param reduceScatter C function, valid until {@link #leave}.
     * @param allgather     C function, valid until {@link #leave}.
     * @throws IllegalStateException if LightGBM reports an error.
     */
    void join(final int size, final int rank, final MemorySegment reduceScatter, final MemorySegment allgather)
    {
        try
        {
            requireSuccess((int)init.invokeExact(size, rank, reduceScatter, allgather));
        }
        catch (final Throwable ex)
        {
            throw unchecked(ex);
        }
    }

    /** Ends the network of the calling thread. */
    void leave()
    {
        try
        {
            requireSuccess((int)free.invokeExact());
        }
        catch (final Throwable ex)
        {
            throw unchecked(ex);
        }
    }

    /**
     * Combines two blocks by a function of LightGBM.
     *
     * @param function     address of the function.
     * @param from         address of the block to read.
     * @param into         address of the block that receives the result.
     * @param elementBytes length of an element.
     * @param bytes        length of each block.
     */
    void reduce(final long function, final long from, final long into, final int elementBytes, final int bytes)
    {
        if (reducer.address() != function)
        {
            reducer = MemorySegment.ofAddress(function);
        }
        try
        {
            REDUCE.invokeExact(reducer, from, into, elementBytes, bytes);
        }
        catch (final Throwable ex)
        {
            throw unchecked(ex);
        }
    }

    private void requireSuccess(final int result) throws Throwable
    {
        if (result != 0)
        {
            final MemorySegment text = (MemorySegment)lastError.invokeExact();
            throw new IllegalStateException(
                "LightGBM reports: " + text.reinterpret(Long.MAX_VALUE).getString(0));
        }
    }

    private static RuntimeException unchecked(final Throwable thrown)
    {
        switch (thrown)
        {
            case RuntimeException ex -> throw ex;
            case Error ex -> throw ex;
            default -> throw new IllegalStateException("a call of LightGBM failed: " + thrown, thrown);
        }
    }
}
