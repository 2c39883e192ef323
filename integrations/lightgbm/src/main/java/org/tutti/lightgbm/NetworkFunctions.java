/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The functions that LightGBM's native code calls to communicate. No exception may pass through native code, which
 * would end the JVM: after the first failure, they return this rank's own data in place of that of others, as far as it
 * is valid there.
 */
final class NetworkFunctions implements AutoCloseable
{
    /** Pointers are passed as integers, for which no objects are created. */
    private static final FunctionDescriptor REDUCE_SCATTER = FunctionDescriptor.ofVoid(
        JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor ALLGATHER = FunctionDescriptor.ofVoid(
        JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    /** Longer than any dataset's description of bins has to be. */
    private static final int NOT_EMPTY = 4_096;

    private final LightGbmLibrary library;
    private final BlockExchange exchange;
    private final DatasetExchanges datasets;
    private final Arena arena;
    /**
     * A communicator of this rank alone, or null. The memory of exchanges is accessed by address: it stays mapped while
     * this communicator is open, even if another thread closes the one that is used.
     */
    private final Communicator memoryHolder;
    private final int rank;
    private final int size;
    private Throwable failure;
    private long exchangeNs;

    /**
     * Makes the calling thread a rank of LightGBM's network; one rank needs no network. Collective.
     *
     * @param communicator the ranks.
     * @param library      LightGBM.
     */
    NetworkFunctions(final Communicator communicator, final LightGbmLibrary library)
    {
        this(communicator, library, Arena.ofConfined());
    }

    /**
     * As {@link #NetworkFunctions(Communicator, LightGbmLibrary)}.
     *
     * @param communicator the ranks.
     * @param library      LightGBM.
     * @param arena        lifetime of the functions; closed with them, or if they cannot be created.
     */
    NetworkFunctions(final Communicator communicator, final LightGbmLibrary library, final Arena arena)
    {
        this.library = library;
        this.arena = arena;
        rank = communicator.rank();
        size = communicator.size();
        exchange = new BlockExchange(communicator, library);
        datasets = new DatasetExchanges(size);
        Communicator holder = null;
        try
        {
            if (size > 1)
            {
                holder = communicator.split(rank, 0);
                library.join(size, rank, reduceScatterStub(), allgatherStub());
            }
        }
        catch (final RuntimeException | Error ex)
        {
            free(holder, ex);
            throw ex;
        }
        memoryHolder = holder;
    }

    /** Frees what is allocated before the creation of this object has failed. */
    private void free(final Communicator holder, final Throwable cause)
    {
        arena.close();
        if (holder != null)
        {
            try
            {
                holder.close();
            }
            catch (final CollectiveException ex)
            {
                cause.addSuppressed(ex);
            }
        }
    }

    /** Drops two arguments: the number of blocks, which is the number of ranks, and the length of the output. */
    private MemorySegment reduceScatterStub()
    {
        final MethodHandle target = target("reduceScatter", MethodType.methodType(
            void.class, long.class, int.class, int.class, long.class, long.class, long.class, long.class));
        return Linker.nativeLinker().upcallStub(MethodHandles.dropArguments(
            MethodHandles.dropArguments(target, 5, int.class), 7, int.class), REDUCE_SCATTER, arena);
    }

    /** Drops two arguments: the length of the input and the number of blocks. */
    private MemorySegment allgatherStub()
    {
        final MethodHandle target = target("allgather", MethodType.methodType(
            void.class, long.class, long.class, long.class, long.class, int.class));
        return Linker.nativeLinker().upcallStub(MethodHandles.dropArguments(
            MethodHandles.dropArguments(target, 1, int.class), 4, int.class), ALLGATHER, arena);
    }

    private MethodHandle target(final String name, final MethodType type)
    {
        try
        {
            return MethodHandles.lookup().bind(this, name, type);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new LinkageError("method " + name + " is missing", ex);
        }
    }

    /** Called by LightGBM: see {@link BlockExchange#reduceScatter}. */
    void reduceScatter(final long input, final int inputBytes, final int elementBytes, final long starts,
        final long lengths, final long output, final long reducer)
    {
        final long startNs = System.nanoTime();
        try
        {
            if (failure == null)
            {
                exchange.reduceScatter(input, inputBytes, elementBytes, starts, lengths, output,
                    AddressedMemory.pointerAt(reducer));
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
        if (failure != null)
        {
            AddressedMemory.copy(
                input + AddressedMemory.intAt(starts, rank), output, AddressedMemory.intAt(lengths, rank));
        }
        datasets.recordOther();
        exchangeNs += System.nanoTime() - startNs;
    }

    /** Called by LightGBM: see {@link BlockExchange#allgather}. */
    void allgather(
        final long input, final long starts, final long lengths, final long output, final int outputBytes)
    {
        final long startNs = System.nanoTime();
        try
        {
            if (failure == null)
            {
                datasets.requireSameFeatures(lengths);
                exchange.allgather(input, starts, lengths, output);
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
        if (failure != null)
        {
            gatherOwn(input, starts, lengths, output, outputBytes);
        }
        datasets.recordGather(starts, lengths, output);
        exchangeNs += System.nanoTime() - startNs;
    }

    private void gatherOwn(
        final long input, final long starts, final long lengths, final long output, final int outputBytes)
    {
        if (datasets.isOfBins(lengths))
        {
            // This rank has too few bins to stand for those of all ranks: LightGBM would read beyond their end. It
            // rejects -1 bins by an exception of its own, which the call that creates the dataset returns as an error.
            AddressedMemory.fill(output, outputBytes, (byte)-1);
            return;
        }
        final int own = AddressedMemory.intAt(lengths, rank);
        // May be the length of a block of bins: all blocks together must not be empty.
        final boolean isEmpty = own == Integer.BYTES && AddressedMemory.intAt(input, 0) == 0;
        for (int peer = 0; peer < size; peer++)
        {
            final long block = output + AddressedMemory.intAt(starts, peer);
            AddressedMemory.copy(input, block, Math.min(own, AddressedMemory.intAt(lengths, peer)));
            if (isEmpty && peer != rank)
            {
                AddressedMemory.putInt(block, NOT_EMPTY);
            }
        }
    }

    /**
     * Returns the time of all exchanges.
     *
     * @return nanoseconds.
     */
    long exchangeNs()
    {
        return exchangeNs;
    }

    /**
     * Returns whether an exchange failed.
     *
     * @return true from the first failure on.
     */
    boolean hasFailed()
    {
        return failure != null;
    }

    /**
     * Throws the failure of an exchange, if there was one.
     *
     * @param suppressed error that followed from it, or null.
     */
    void throwFailure(final Exception suppressed)
    {
        final Throwable first = failure;
        if (first == null)
        {
            return;
        }
        if (suppressed != null && suppressed != first)
        {
            first.addSuppressed(suppressed);
        }
        if (first instanceof LightGbmException)
        {
            // All ranks have it, after the same exchanges: they can go on with other data.
            failure = null;
        }
        switch (first)
        {
            case RuntimeException ex -> throw ex;
            case Error ex -> throw ex;
            default -> throw new IllegalStateException("an exchange of LightGBM failed: " + first, first);
        }
    }

    /** Ends the network of the thread, and frees what its exchanges need. */
    @Override
    public void close()
    {
        try (arena; memoryHolder; exchange)
        {
            if (size > 1)
            {
                library.leave();
            }
        }
    }
}
