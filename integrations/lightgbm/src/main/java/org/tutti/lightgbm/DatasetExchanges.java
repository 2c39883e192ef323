/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recognizes the exchanges in which LightGBM creates a dataset: it gathers the numbers of features, then the lengths of
 * the blocks with descriptions of bins, and then these blocks, which have just these lengths. LightGBM trains on ranks
 * with different numbers of features as if the missing columns were empty, without an error.
 */
final class DatasetExchanges
{
    /** Least length of the bins of a feature. Training exchanges shorter blocks after integers of their length. */
    private static final int LEAST_BYTES = 80;

    private final int size;
    private int[] features;
    private int[] blockBytes;
    /** Number of integers that the latest exchanges have gathered from each rank. */
    private int gathers;

    DatasetExchanges(final int size)
    {
        this.size = size;
        features = new int[size];
        blockBytes = new int[size];
    }

    /** Records an exchange that is not part of creating a dataset. */
    void recordOther()
    {
        gathers = 0;
    }

    /**
     * Records an allgather.
     *
     * @param starts  address of the offsets of the blocks.
     * @param lengths address of the lengths of the blocks.
     * @param output  address of the blocks.
     */
    void recordGather(final long starts, final long lengths, final long output)
    {
        final int[] oldest = features;
        features = blockBytes;
        blockBytes = oldest;
        gathers++;
        for (int rank = 0; rank < size; rank++)
        {
            if (AddressedMemory.intAt(lengths, rank) != Integer.BYTES)
            {
                gathers = 0;
                return;
            }
            blockBytes[rank] = AddressedMemory.intAt(output + AddressedMemory.intAt(starts, rank), 0);
        }
    }

    /**
     * Returns whether an allgather, not yet recorded, is of bins.
     *
     * @param lengths address of the lengths of the blocks.
     * @return true if these lengths were gathered just before, after other integers.
     */
    boolean isOfBins(final long lengths)
    {
        int longest = 0;
        for (int rank = 0; rank < size; rank++)
        {
            final int length = AddressedMemory.intAt(lengths, rank);
            if (gathers < 2 || length != blockBytes[rank])
            {
                return false;
            }
            longest = Math.max(longest, length);
        }
        return longest >= LEAST_BYTES;
    }

    /**
     * Throws, on all ranks, if an allgather is of bins and ranks have different numbers of features.
     *
     * @param lengths address of the lengths of the blocks.
     * @throws LightGbmException if they differ; the message names the ranks.
     */
    void requireSameFeatures(final long lengths)
    {
        if (!isOfBins(lengths) || Arrays.stream(features).allMatch(number -> number == features[0]))
        {
            return;
        }
        final Map<Integer, List<Integer>> ranks = new TreeMap<>();
        for (int rank = 0; rank < size; rank++)
        {
            ranks.computeIfAbsent(features[rank], number -> new ArrayList<>()).add(rank);
        }
        // The number that most ranks have; of two, that of the lowest rank.
        int usual = features[0];
        final List<String> parts = new ArrayList<>();
        for (final Map.Entry<Integer, List<Integer>> entry : ranks.entrySet())
        {
            usual = entry.getValue().size() > ranks.get(usual).size() ? entry.getKey() : usual;
            parts.add(entry.getKey() + " on " + LightGbmException.name(entry.getValue()));
        }
        final List<Integer> common = ranks.get(usual);
        throw new LightGbmException("numbers of features differ between ranks: " + String.join(", ", parts) +
            ": create the datasets of all ranks with the same columns", null,
            ranks.values().stream().flatMap(List::stream).filter(rank -> !common.contains(rank)).sorted().toList());
    }
}
