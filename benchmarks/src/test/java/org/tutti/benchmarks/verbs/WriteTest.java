/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.PeerLocation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests both measurements, with ranks as threads of this process over shm. */
@Timeout(60)
class WriteTest
{
    @ParameterizedTest
    @ValueSource(ints = { 1, 8, 220, 221, 100_000 })
    void shouldTimeEveryMessage(final int length) throws Exception
    {
        final List<long[]> readings = run(1, 1, length, pair -> new WriteLatency(pair, length).run(200, 3));

        for (int i = 0; i < 199; i++)
        {
            // Between two readings of one rank, the other has read its clock: neither rank runs ahead.
            assertTrue(readings.get(0)[i] <= readings.get(1)[i + 1], "rank 1 is ahead at " + i);
            assertTrue(readings.get(1)[i] <= readings.get(0)[i + 1], "rank 0 is ahead at " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({ "128, 1, 1, 65536, 1000", "128, 1, 100, 8, 1050", "64, 16, 32, 64, 1024", "1, 1, 1, 1, 10" })
    void shouldDeliverAllMessages(
        final int depth, final int chain, final int moderation, final int length, final int messages) throws Exception
    {
        final List<Boolean> right = run(depth, chain, length, pair ->
        {
            final WriteBandwidth bandwidth = new WriteBandwidth(pair, depth, chain, moderation, length);
            final double seconds = pair.rank() == 0 ? bandwidth.run(messages) / 1e9 : 0;
            assertTrue(pair.exchange(seconds)[0] > 0);
            return bandwidth.isIncomingRight();
        });

        assertEquals(List.of(false, true), right);
    }

    @Test
    void shouldStopWaitingWhenTheOtherRankFails()
    {
        final ExecutionException e = assertThrows(ExecutionException.class, () -> run(1, 1, 8, pair ->
        {
            if (pair.rank() == 1)
            {
                throw new IllegalStateException("broken on purpose");
            }
            new WriteLatency(pair, 8).run(2, 1);
            return null;
        }));

        // Either the exit of the rank or a failed request is noticed first.
        final String message = e.getCause().getMessage();
        assertTrue(message.contains("rank 1") || message.contains("request failed"), message);
    }

    private static <T> List<T> run(
        final int depth, final int chain, final int length, final Function<RankPair, T> action) throws Exception
    {
        final MeasuredPort port = MeasuredPort.choose(RdmaProvider.load("shm"), 0, PeerLocation.THIS_HOST);
        final List<Callable<T>> calls = new ArrayList<>();
        for (final Bootstrap bootstrap : InMemoryBootstrap.group(2))
        {
            calls.add(() ->
            {
                try (RankPair pair = new RankPair(bootstrap,
                    _ -> new RcEndpoint(port, depth, chain, length, 220)))
                {
                    return fail(bootstrap, () -> action.apply(pair));
                }
            });
        }
        final List<T> results = new ArrayList<>();
        try (ExecutorService ranks = Executors.newFixedThreadPool(2))
        {
            for (final Future<T> result : ranks.invokeAll(calls))
            {
                results.add(result.get());
            }
        }
        return results;
    }

    /** Aborts the job on failure, as the end of a rank's process does. */
    private static <T> T fail(final Bootstrap bootstrap, final Callable<T> action) throws Exception
    {
        try
        {
            return action.call();
        }
        catch (final IllegalStateException e)
        {
            bootstrap.abort(e.getMessage());
            throw e;
        }
    }
}
