/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ShardSamplerTest
{
    private static ShardSampler sampler(final int rank, final int size, final int batchSize)
    {
        return new ShardSampler(rank, size, 7, batchSize, false);
    }

    private static List<List<Long>> batches(final ShardSampler sampler, final int records)
    {
        final List<List<Long>> batches = new ArrayList<>();
        sampler.sample(records).forEachRemaining(batches::add);
        return batches;
    }

    @ParameterizedTest
    @CsvSource({"1, 10, 3", "2, 11, 5", "3, 100, 8", "4, 4, 1", "4, 30, 64"})
    void shouldGiveRanksDisjointPartsOfEqualLength(final int size, final int records, final int batchSize)
    {
        final Set<Long> seen = new HashSet<>();
        for (int rank = 0; rank < size; rank++)
        {
            final List<List<Long>> part = batches(sampler(rank, size, batchSize), records);
            assertEquals(Math.ceilDiv(records / size, batchSize), part.size());
            for (final List<Long> batch : part.subList(0, part.size() - 1))
            {
                assertEquals(batchSize, batch.size());
            }
            part.forEach(seen::addAll);
        }
        assertEquals(records / size * size, seen.size());
        assertTrue(seen.stream().allMatch(index -> index >= 0 && index < records));
    }

    @Test
    void shouldLeaveOutShorterBatchWhenTold()
    {
        final List<List<Long>> all = batches(sampler(1, 2, 4), 21);
        assertEquals(List.of(4, 4, 2), all.stream().map(List::size).toList());
        assertEquals(all.subList(0, 2), batches(new ShardSampler(1, 2, 7, 4, true), 21));
    }

    @Test
    void shouldHaveTheBatchesOfOneRank()
    {
        final List<List<Long>> whole = batches(sampler(0, 1, 6), 12);
        for (int i = 0; i < whole.size(); i++)
        {
            final Set<Long> batch = new HashSet<>();
            for (int rank = 0; rank < 3; rank++)
            {
                batch.addAll(batches(sampler(rank, 3, 2), 12).get(i));
            }
            assertEquals(new HashSet<>(whole.get(i)), batch);
        }
    }

    @Test
    void shouldShuffleEachEpochAnewAndRepeatably()
    {
        final ShardSampler sampler = sampler(0, 1, 8);
        final List<List<Long>> first = batches(sampler, 50);
        assertNotEquals(first, batches(sampler, 50));
        sampler.epoch(0);
        assertEquals(first, batches(sampler, 50));
        assertNotEquals(first, batches(new ShardSampler(0, 1, 8, 8, false), 50));
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 1", "-1, 2, 1", "0, 0, 1", "0, 1, 0"})
    void shouldRejectInvalidRanksAndBatches(final int rank, final int size, final int batchSize)
    {
        assertThrows(IllegalArgumentException.class, () -> sampler(rank, size, batchSize));
    }

    @Test
    void shouldRejectInvalidEpochsAndDatasets()
    {
        final ShardSampler sampler = new ShardSampler(0, 5, 7, 2, true);
        assertEquals("the dataset has 9 records, and 5 ranks need at least 2 each: add records, or start fewer ranks",
            assertThrows(IllegalArgumentException.class, () -> sampler.sample(9)).getMessage());
        assertEquals("epoch=-1: must be at least 0",
            assertThrows(IllegalArgumentException.class, () -> sampler.epoch(-1)).getMessage());
    }
}
