/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.Arrays;

/**
 * Recognizes the exchanges in which LightGBM creates a dataset: it gathers the numbers of features, then the lengths of
 * the blocks with descriptions of bins, and then blocks of exactly these lengths. LightGBM trains on ranks with
 * different numbers of features as if the missing columns were empty, without an error.
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
        if (!isOfBins(lengths))
        {
            return;
        }
        for (int rank = 1; rank < size; rank++)
        {
            if (features[rank] != features[0])
            {
                throw difference();
            }
        }
    }

    private LightGbmException difference()
    {
        final RanksByValue numbers = new RanksByValue(Arrays.stream(features).mapToObj(Integer::toString).toList());
        return new LightGbmException("numbers of features differ between ranks: " + numbers.text() +
            ": create the datasets of all ranks with the same columns", null, numbers.others());
    }
}
