/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class KilledRankTest
{
    private static final int RANKS = 3;
    private static final int VICTIM = 1;

    /** How many jobs are killed while they train. */
    private static final int KILLS = Math.max(1, Integer.getInteger("tutti.test.kills", 10) / 10);

    @Test
    void shouldThrowOnOtherRanksWhenARankIsKilled() throws Exception
    {
        for (int kill = 0; kill < KILLS; kill++)
        {
            kill();
        }
    }

    private static void kill() throws Exception
    {
        final List<Process> ranks = new ArrayList<>();
        try (Coordinator coordinator =
            Coordinator.start(CoordinatorOptions.ofSize(RANKS).address("127.0.0.1")))
        {
            for (int rank = 0; rank < RANKS; rank++)
            {
                ranks.add(TrainingRank.start(coordinator.address(), coordinator.secret(), Integer.toString(rank),
                    Integer.toString(RANKS)));
            }
            final BufferedReader output = ranks.get(VICTIM).inputReader(StandardCharsets.UTF_8);
            final StringBuilder read = new StringBuilder();
            for (String line = output.readLine(); !"trained".equals(line); line = output.readLine())
            {
                assertTrue(line != null, read::toString);
                read.append(line).append('\n');
            }
            ranks.get(VICTIM).destroyForcibly();
            for (int rank = 0; rank < RANKS; rank++)
            {
                if (rank != VICTIM)
                {
                    requireError(ranks.get(rank));
                }
            }
        }
        finally
        {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private static void requireError(final Process survivor) throws Exception
    {
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(survivor.getInputStream(), StandardCharsets.UTF_8)))
        {
            final String output = reader.lines().collect(Collectors.joining("\n"));
            assertEquals(0, survivor.waitFor(), output);
            final String error =
                output.lines().filter(line -> line.startsWith("error: ")).findFirst().orElse("no error");
            assertTrue(error.contains("rank " + VICTIM), output);
            assertTrue(output.contains("alive: true"), output);
        }
    }
}
