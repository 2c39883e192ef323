/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.tutti.collectives.LocalJob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
class DisturbanceFilterTest
{
    private static final int MOST = 4;
    /** Far more milliseconds than an empty timing takes. */
    private static final int SOME = 5;
    private static final int MUCH = 1_000_000_000;
    private static final long TURNING_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    @Test
    void shouldTimeOnceWhenUndisturbed() throws Exception
    {
        assertEquals(List.of("0 of 1", "0 of 1"), kept(true, new int[MOST], new int[MOST]));
    }

    @Test
    void shouldRepeatUntilNoRankIsDisturbed() throws Exception
    {
        assertEquals(List.of("2 of 3", "2 of 3"), kept(true, new int[] {SOME, 0, 0, 0}, new int[] {0, SOME, 0, 0}));
    }

    /** The rank that lost most counts: a collective is as slow as its slowest rank. */
    @Test
    void shouldKeepLeastDisturbedTimingOnAllRanks() throws Exception
    {
        assertEquals(List.of("1 of 4", "1 of 4"), kept(
            true, new int[] {MUCH, SOME, SOME, MUCH}, new int[] {SOME, SOME, MUCH, SOME}));
    }

    @Test
    void shouldTimeOnceWhenRepetitionIsDisabled() throws Exception
    {
        assertEquals(List.of("0 of 1", "0 of 1"), kept(false, new int[] {MUCH}, new int[] {MUCH}));
    }

    @Test
    void shouldReadStealTime()
    {
        assertEquals(35_000_000, ProcessorTimeLoss.stolenNs(
            "cpu  1 2 3 4 5 6 7 7 9 10\ncpu0 1 2 3 4 5 6 7 3 9 10\ncpu1 1 2 3 4 5 6 7 4 9 10\nintr 3\n"));
        assertEquals(
            0, ProcessorTimeLoss.stolenNs("cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\n"), "kernel without steal time");
        assertEquals(0, ProcessorTimeLoss.stolenNs(""));
    }

    @Test
    void shouldMeasureCompilationTimeOfThisJvm()
    {
        final long before = ProcessorTimeLoss.compiledNs();

        assertTrue(before > 0 && before < System.nanoTime(), () -> "compiled for " + before + " ns");
    }

    /** Of four threads on each processor, each waits three times as long as it runs. */
    @Test
    void shouldMeasureRunQueueWaitOfThisThread() throws Exception
    {
        final Path schedule = Path.of("/proc/thread-self/schedstat");
        final boolean isReported = Files.exists(schedule) && !Files.readString(schedule).startsWith("0 0 0");
        if (!isReported)
        {
            System.err.println("DisturbanceFilterTest is partly skipped: this kernel was built without " +
                "CONFIG_SCHED_INFO and does not report run-queue waits");
        }
        assumeTrue(isReported);
        final int threads = 4 * Runtime.getRuntime().availableProcessors();
        final LongAdder waitedNs = new LongAdder();
        final Phaser start = new Phaser(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads))
        {
            for (int i = 0; i < threads; i++)
            {
                executor.execute(() ->
                {
                    start.arriveAndAwaitAdvance();
                    final long end = System.nanoTime() + TURNING_NS;
                    final long before = ProcessorTimeLoss.waitedNs();
                    while (System.nanoTime() < end)
                    {
                        Thread.onSpinWait();
                    }
                    waitedNs.add(ProcessorTimeLoss.waitedNs() - before);
                });
            }
        }

        assertTrue(waitedNs.sum() > TURNING_NS * threads / 2 && waitedNs.sum() < 2 * TURNING_NS * threads,
            () -> "waited for " + waitedNs + " ns");
    }

    /** Which timing each of two ranks keeps, and of how many, given the milliseconds that a rank loses in each. */
    private static List<String> kept(final boolean isRepeated, final int[]... lossesMs) throws Exception
    {
        return LocalJob.call(2, communicator ->
        {
            final AtomicLong lost = new AtomicLong();
            final AtomicInteger timings = new AtomicInteger();
            final DisturbanceFilter steadyState = new DisturbanceFilter(communicator, lost::get, MOST, LONGEST_NS);
            final DisturbanceFilter.Timed<Integer> kept = steadyState.time(isRepeated, () ->
            {
                final int now = timings.getAndIncrement();
                lost.addAndGet(TimeUnit.MILLISECONDS.toNanos(lossesMs[communicator.rank()][now]));
                return now;
            });
            final int lostMs = lossesMs[0][kept.value()] + lossesMs[1][kept.value()];
            assertEquals(lostMs > 0, kept.lost() > DisturbanceFilter.TOLERATED);
            return kept.value() + " of " + timings;
        });
    }
}
