/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

class JvmShareTest
{
    @Test
    void shouldNeverGiveRanksMoreThanTheHostHas()
    {
        for (int ranks = 1; ranks <= 512; ranks++)
        {
            for (int cores = 1; cores <= 256; cores++)
            {
                final int percent = ranks % 2 == 0 ? JvmShare.HOST_PERCENT : JvmShare.LIMIT_PERCENT;
                final JvmShare share = JvmShare.of(ranks, cores, percent);
                final String what = ranks + " ranks, " + cores + " cores: " + share;
                assertTrue(share.heapPercent() > 0 && share.heapPercent() <= 25, what);
                assertTrue(share.heapPercent() * ranks <= percent + 0.001, what);
                assertTrue(share.gcThreads() >= 1 && share.gcThreads() * ranks <= Math.max(ranks, cores), what);
            }
        }
    }

    @Test
    void shouldDivideByTheRanksOfTheHost()
    {
        assertEquals(
            List.of("-XX:MaxRAMPercentage=18.75", "-XX:ParallelGCThreads=4"),
            JvmShare.options(ranks("4"), 16, JvmShareTest::host));
        assertEquals(
            List.of("-XX:MaxRAMPercentage=12.5", "-XX:ParallelGCThreads=4"),
            JvmShare.options(ranks("4"), 16, () -> JvmShare.LIMIT_PERCENT));
        assertEquals(
            List.of("-XX:MaxRAMPercentage=1.171875", "-XX:ParallelGCThreads=1"),
            JvmShare.options(ranks("64"), 2, JvmShareTest::host));
        assertEquals(List.of(), JvmShare.options(ranks("1"), 16, JvmShareTest::host));
        assertEquals(List.of(), JvmShare.options(Map.of(), 16, JvmShareTest::host));
    }

    @Test
    void shouldNotOverrideOptionsOfTheEnvironment()
    {
        assertEquals(List.of("-XX:ParallelGCThreads=4"), JvmShare.options(
            Map.of("LOCAL_WORLD_SIZE", "4", "JAVA_TOOL_OPTIONS", "-ea -XX:MaxRAMPercentage=50"), 16,
            JvmShareTest::host));
        assertEquals(List.of("-XX:MaxRAMPercentage=18.75"), JvmShare.options(
            Map.of("LOCAL_WORLD_SIZE", "4", "JDK_JAVA_OPTIONS", "-XX:ParallelGCThreads=2"), 16, JvmShareTest::host));
    }

    private static Map<String, String> ranks(final String number)
    {
        return Map.of("LOCAL_WORLD_SIZE", number, "JAVA_TOOL_OPTIONS", "", "JDK_JAVA_OPTIONS", "");
    }

    private static int host()
    {
        return JvmShare.HOST_PERCENT;
    }
}
