/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.Communicator;

/**
 * Reduce-scatter and allgather on LightGBM's memory, by Tutti's collectives on registered memory, to and from which
 * data is copied.
 * <p>
 * A reduce-scatter sends each block to the rank that reduces it (an alltoallv), which combines the blocks by LightGBM's
 * function. As with a ring or recursive halving, each rank sends and combines (n - 1) / n of its data; there are n - 1
 * messages at once in place of log n one after another. This is best for short blocks, too: LightGBM reduces less than
 * 4 KiB by allgather. A reduce-scatter with the function as a user-defined operation would call it for parts of
 * blocks and in an order that depends on the algorithm, and trees would then differ from those of LightGBM's network.
 * An allgather is an allgatherv, whose algorithm depends on the length.
 * <p>
 * Allocates nothing once blocks of the same lengths were exchanged, unless their places in the communicator's cache of
 * recent blocks collide.
 */
final class BlockExchange implements AutoCloseable
{
    /** From this length, LightGBM's network reduces in a ring unless the number of ranks is a power of two. */
    private static final int RING_BYTES = 10 << 20;
    private static final int ALIGNMENT = 64;

    private final Communicator communicator;
    private final LightGbmLibrary library;
    private final int rank;
    private final int size;
    private final ExchangeBuffer outgoing;
    private final ExchangeBuffer incoming;
    private final ReductionOrder halving;
    private final ReductionOrder ring;
    private final long[] sent;
    private final long[] received;
    private final long[] offsets;
    private final long[] blocks;

    BlockExchange(final Communicator communicator, final LightGbmLibrary library)
    {
        this.communicator = communicator;
        this.library = library;
        rank = communicator.rank();
        size = communicator.size();
        outgoing = new ExchangeBuffer(communicator);
        incoming = new ExchangeBuffer(communicator);
        halving = ReductionOrder.halving(rank, size);
        ring = Integer.bitCount(size) == 1 ? halving : ReductionOrder.ring(rank, size);
        sent = new long[size];
        received = new long[size];
        offsets = new long[size];
        blocks = new long[size];
    }

    /**
     * Reduces blocks, one per rank.
     *
     * @param input        address of this rank's blocks.
     * @param inputBytes   length of all blocks.
     * @param elementBytes length of an element, which LightGBM's function needs.
     * @param starts       address of the offsets of the blocks.
     * @param lengths      address of the lengths of the blocks.
     * @param output       address of this rank's result; may be that of the input.
     * @param function     address of LightGBM's function.
     */
    void reduceScatter(final long input, final int inputBytes, final int elementBytes, final long starts,
        final long lengths, final long output, final long function)
    {
        final long own = AddressedMemory.intAt(lengths, rank);
        final long distance = (own + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long total = 0;
        for (int peer = 0; peer < size; peer++)
        {
            sent[peer] = peer == rank ? 0 : AddressedMemory.intAt(lengths, peer);
            received[peer] = peer == rank ? 0 : own;
            offsets[peer] = peer * distance;
            total += sent[peer];
        }
        outgoing.ofAtLeast(total);
        incoming.ofAtLeast(size * distance);
        long next = outgoing.address();
        for (int peer = 0; peer < size; peer++)
        {
            AddressedMemory.copy(input + AddressedMemory.intAt(starts, peer), next, sent[peer]);
            next += sent[peer];
            blocks[peer] = incoming.address() + offsets[peer];
        }
        communicator.alltoallv(
            outgoing.ofAtLeast(total), sent, null, incoming.ofAtLeast(size * distance), received, offsets);
        AddressedMemory.copy(input + AddressedMemory.intAt(starts, rank), output, own);
        blocks[rank] = output;
        combine(inputBytes < RING_BYTES ? halving : ring, elementBytes, (int)own, function);
    }

    private void combine(final ReductionOrder order, final int elementBytes, final int bytes, final long function)
    {
        if (bytes == 0)
        {
            return;
        }
        for (int step = 0; step < order.count(); step++)
        {
            library.reduce(function, blocks[order.from(step)], blocks[order.into(step)], elementBytes, bytes);
        }
        AddressedMemory.copy(blocks[order.result()], blocks[rank], bytes);
    }

    /**
     * Gathers a block of each rank.
     *
     * @param input   address of this rank's block.
     * @param starts  address of the offsets of the blocks in the output.
     * @param lengths address of the lengths of the blocks.
     * @param output  address of all blocks; may be that of the input.
     */
    void allgather(final long input, final long starts, final long lengths, final long output)
    {
        long total = 0;
        for (int peer = 0; peer < size; peer++)
        {
            received[peer] = AddressedMemory.intAt(lengths, peer);
            offsets[peer] = total;
            total += received[peer];
        }
        incoming.ofAtLeast(total);
        AddressedMemory.copy(input, incoming.address() + offsets[rank], received[rank]);
        communicator.allgatherv(
            incoming.part(offsets[rank], received[rank]), incoming.part(0, total), received);
        for (int peer = 0; peer < size; peer++)
        {
            AddressedMemory.copy(
                incoming.address() + offsets[peer], output + AddressedMemory.intAt(starts, peer), received[peer]);
        }
    }

    @Override
    public void close()
    {
        outgoing.close();
        incoming.close();
    }
}
