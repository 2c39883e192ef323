/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;

import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SameTreesTest
{
    private static final int ITERATIONS = 10;

    private static List<String> train(final int ranks, final JoinOptions job, final List<Shard> shards,
        final String parameters, final int iterations)
    {
        return LocalJob.call(ranks, job, communicator ->
        {
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                return shards.get(communicator.rank()).train(network, network.parameters(parameters), iterations);
            }
        });
    }

    private static List<Shard> shards(final int ranks)
    {
        return IntStream.range(0, ranks).mapToObj(Shard::new).toList();
    }

    private static String same(final List<String> models)
    {
        models.forEach(model -> assertEquals(models.getFirst(), model));
        return models.getFirst();
    }

    /** All bits are equal, also where sums of many ranks are rounded. */
    @ParameterizedTest
    @CsvSource({
        "2, tree_learner=data",
        "2, tree_learner=voting top_k=3",
        "3, tree_learner=data",
        "4, tree_learner=data",
        "4, tree_learner=data use_quantized_grad=true",
        "4, tree_learner=voting top_k=3",
        "5, tree_learner=data",
    })
    void shouldEqualTreesOfSocketNetwork(final int ranks, final String learner)
    {
        final String parameters = Shard.PARAMETERS + " " + learner;
        final String trees = same(train(ranks, JoinOptions.ofEnvironment(), shards(ranks), parameters, ITERATIONS));
        assertTrue(trees.contains("Tree=" + (ITERATIONS - 1)), trees);
        assertEquals(same(SocketRanks.train(ranks, shards(ranks), parameters, ITERATIONS)), trees);
    }

    @Test
    void shouldEqualTreesOverOtherTransport()
    {
        final JoinOptions tcp = JoinOptions.ofEnvironment().transport("tcp").device("lo");
        final String parameters = Shard.PARAMETERS;
        assertEquals(same(train(3, JoinOptions.ofEnvironment(), shards(3), parameters, ITERATIONS)),
            same(train(3, tcp, shards(3), parameters, ITERATIONS)));
    }

    @Test
    void shouldTrainOneRankAsWithoutNetwork()
    {
        final String alone = LocalJob.call(1, communicator ->
        {
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final String trees = new Shard(0).train(network, network.parameters(Shard.PARAMETERS), ITERATIONS);
                assertEquals(0, network.exchangeNs());
                return trees;
            }
        }).getFirst();
        assertTrue(alone.contains("Tree=" + (ITERATIONS - 1)), alone);
    }

    /** More than 10 MiB of histograms: LightGBM's network reduces them in a ring on three ranks. */
    @ParameterizedTest
    @CsvSource({"3", "4"})
    @Tag("torture")
    void shouldEqualTreesOfSocketNetworkWhenHistogramsAreLong(final int ranks)
    {
        final List<Shard> wide =
            IntStream.range(0, ranks).mapToObj(rank -> new Shard(rank, 4_000, 1_000)).toList();
        final String parameters = Shard.PARAMETERS + " tree_learner=data min_data_in_bin=1";
        final String trees = same(train(ranks, JoinOptions.ofEnvironment(), wide, parameters, 2));
        assertEquals(same(SocketRanks.train(ranks, wide, parameters, 2)), trees);
    }

    /** Ranks have different numbers of rows, and features are fewer than ranks. */
    @Test
    void shouldEqualTreesOfSocketNetworkWhenSharesDiffer()
    {
        final List<Shard> shards = List.of(new Shard(0, 3, 50), new Shard(1, 3, 700), new Shard(2, 3, 300),
            new Shard(3, 3, 200));
        final String parameters = Shard.PARAMETERS + " tree_learner=data";
        assertEquals(same(SocketRanks.train(4, shards, parameters, ITERATIONS)),
            same(train(4, JoinOptions.ofEnvironment(), shards, parameters, ITERATIONS)));
    }
}
