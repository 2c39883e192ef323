/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.ReduceOp;

import java.io.IOException;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FailedTaskTest
{
    @Test
    void shouldFindTheRankForWhichSparkKillsOthers()
    {
        assertEquals(12, FailedTask.rank("Task ShuffleMapTask(7, 12) from barrier stage ShuffleMapStage 7 " +
            "(mapToPair at TuttiSpark.java:84) failed."));
        assertEquals(0, FailedTask.rank("Task ResultTask(31, 0) from barrier stage ResultStage 31 (collect) failed."));
        assertEquals(-1, FailedTask.rank("Job 3 cancelled "));
    }

    /** Rank 0 waits for rank 1, and this for rank 2, which fails. */
    @Test
    void shouldNameTheFirstCauseAlsoOnRanksThatWaitForOthers()
    {
        final List<RankFailedException> errors = LocalJob.call(3, communicator ->
        {
            final int[] number = {1};
            communicator.allreduce(number, ReduceOp.SUM);
            final int awaited = communicator.rank() + 1;
            if (awaited == communicator.size())
            {
                FailedTask.tellOthers(communicator, new IOException("file is damaged\nat offset 7"));
                return null;
            }
            return assertThrows(RankFailedException.class, () -> communicator.recv(number, awaited, 0));
        });

        for (final RankFailedException error : errors.subList(0, 2))
        {
            assertEquals(2, error.peer());
            assertTrue(error.getMessage().contains("failed: rank 2 on "), error.getMessage());
            assertTrue(error.getMessage().endsWith("failed: aborted: java.io.IOException: file is damaged"),
                error.getMessage());
        }
    }
}
