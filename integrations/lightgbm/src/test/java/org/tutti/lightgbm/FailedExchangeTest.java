/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An exchange fails on one rank, and then on all: each rank's call throws, and this JVM, in which LightGBM went on with
 * the data of each rank alone, survives.
 */
class FailedExchangeTest
{
    private static final int RANKS = 4;
    private static final int ITERATIONS = 2;
    /** LightGBM has created its dataset after so many exchanges. */
    private static final int DATASET_EXCHANGES = 3;

    private static String train(final Communicator communicator, final int columns, final String learner)
        throws LGBMException
    {
        try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
        {
            return new Shard(communicator.rank(), columns, 300)
                .train(network, network.parameters(Shard.PARAMETERS + learner), ITERATIONS);
        }
    }

    /** Returns the number of exchanges of a rank. */
    private static int exchanges(final int columns, final String learner)
    {
        return LocalJob.call(RANKS, communicator ->
        {
            final AtomicInteger exchanges = new AtomicInteger();
            train(InterceptedCommunicator.of(communicator, method ->
                exchanges.addAndGet(InterceptedCommunicator.isExchange(method) ? 1 : 0)), columns, learner);
            return exchanges.get();
        }).getFirst();
    }

    private static void fail(final int columns, final String learner, final int failingRank, final int failing)
    {
        final String at = "rank " + failingRank + ", exchange " + failing + ", " + columns + " columns" + learner;
        final Exception[] errors = new Exception[RANKS];
        final CollectiveException injected = new CollectiveException(-1, "injected", null);
        assertSame(injected, assertThrows(CollectiveException.class, () -> LocalJob.run(RANKS, communicator ->
        {
            final int rank = communicator.rank();
            final AtomicInteger exchanges = new AtomicInteger();
            final Communicator intercepted = InterceptedCommunicator.of(communicator, method ->
            {
                if (InterceptedCommunicator.isExchange(method) && exchanges.getAndIncrement() == failing &&
                    rank == failingRank)
                {
                    throw injected;
                }
            });
            try
            {
                train(intercepted, columns, learner);
            }
            catch (final CollectiveException ex)
            {
                errors[rank] = ex;
                throw ex;
            }
        })), at);
        for (int rank = 0; rank < RANKS; rank++)
        {
            final Exception error = assertInstanceOf(CollectiveException.class, errors[rank], at + ": rank " + rank);
            assertTrue(rank == failingRank || error.getMessage().contains("rank " + failingRank),
                () -> at + ": " + error.getMessage());
        }
    }

    /** With nine columns, the last of four ranks finds the bins of none; with ten, of one; with three, of none. */
    @Test
    void shouldThrowOnAllRanksWhenAnyExchangeOfTheDatasetFails()
    {
        for (final int columns : new int[] {9, 10})
        {
            for (int failing = 0; failing < DATASET_EXCHANGES; failing++)
            {
                for (final int rank : new int[] {0, RANKS - 1})
                {
                    fail(columns, "", rank, failing);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " tree_learner=voting top_k=3"})
    void shouldThrowOnAllRanksWhenAnExchangeOfTheTrainingFails(final String learner)
    {
        final int exchanges = exchanges(Shard.COLUMNS, learner);
        for (final int failing : new int[] {DATASET_EXCHANGES, DATASET_EXCHANGES + 1, exchanges / 2, exchanges - 1})
        {
            fail(Shard.COLUMNS, learner, failing % RANKS, failing);
        }
    }

    @Test
    @Tag("torture")
    void shouldThrowOnAllRanksWhenAnyExchangeFails()
    {
        for (final String learner : List.of("", " tree_learner=voting top_k=3", " use_quantized_grad=true"))
        {
            for (final int columns : new int[] {3, 9, Shard.COLUMNS})
            {
                final int exchanges = exchanges(columns, learner);
                for (int failing = 0; failing < exchanges; failing++)
                {
                    fail(columns, learner, failing % RANKS, failing);
                    fail(columns, learner, (failing + RANKS - 1) % RANKS, failing);
                }
            }
        }
    }

    @Test
    void shouldThrowTheSameErrorInEachLaterCall()
    {
        final List<Integer> calls = new ArrayList<>();
        final CollectiveException injected = new CollectiveException(-1, "injected", null);
        LocalJob.run(2, communicator ->
        {
            final Communicator intercepted = InterceptedCommunicator.of(communicator, method ->
            {
                if (InterceptedCommunicator.isExchange(method))
                {
                    throw injected;
                }
            });
            try (LightGbmNetwork network = TuttiLightGbm.network(intercepted))
            {
                final Shard shard = new Shard(communicator.rank());
                final String parameters = network.parameters(Shard.PARAMETERS);
                assertSame(injected,
                    assertThrows(CollectiveException.class, () -> network.call(() -> shard.dataset(parameters))));
                assertSame(injected, assertThrows(CollectiveException.class, () -> network.call(() -> calls.add(1))));
                assertSame(injected, assertThrows(CollectiveException.class, () -> network.parameters("")));
            }
        });
        assertEquals(List.of(), calls);
    }

    @Test
    void shouldCloseTheResultOfACallInWhichAnExchangeFailed()
    {
        LocalJob.run(2, communicator ->
        {
            final Communicator intercepted = InterceptedCommunicator.of(communicator, method ->
            {
                if (InterceptedCommunicator.isExchange(method))
                {
                    throw new CollectiveException(-1, "injected", null);
                }
            });
            final AtomicInteger closed = new AtomicInteger();
            try (LightGbmNetwork network = TuttiLightGbm.network(intercepted))
            {
                final String parameters = network.parameters(Shard.PARAMETERS);
                final CollectiveException error = assertThrows(CollectiveException.class, () -> network.call(() ->
                {
                    assertThrows(LGBMException.class, () -> new Shard(communicator.rank()).dataset(parameters));
                    return (AutoCloseable)() ->
                    {
                        closed.incrementAndGet();
                        throw new LGBMException("cannot be closed");
                    };
                }));
                assertEquals("cannot be closed", error.getSuppressed()[0].getMessage());
            }
            assertEquals(1, closed.get());
        });
    }
}
