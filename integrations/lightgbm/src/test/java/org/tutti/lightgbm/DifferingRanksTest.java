/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.LocalJob;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks that LightGBM would let train with different parameters or data: all get one error, and can go on. */
class DifferingRanksTest
{
    private static void requireSame(final List<String> models)
    {
        models.forEach(model -> assertEquals(models.getFirst(), model));
        assertTrue(models.getFirst().contains("Tree=1"), models.getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "num_leaves=7,                num_leaves=9,         'num_leaves=7 on ranks 0, 2, num_leaves=9 on rank 1'",
        "learning_rate=0.2,           eta=0.3,              " +
            "'learning_rate=0.2 on ranks 0, 2, learning_rate=0.3 on rank 1'",
        "objective=regression,        objective=binary,     " +
            "'objective=regression on ranks 0, 2, objective=binary on rank 1'",
        "objective=binary,            objective=binary seed=3, 'no seed on ranks 0, 2, seed=3 on rank 1'",
        "tree_learner=data,           tree_learner=voting,  " +
            "'tree_learner=data on ranks 0, 2, tree_learner=voting on rank 1'",
        "max_bin=63 num_leaves=7,     max_bin=15 num_leaves=9, " +
            "'max_bin=63 on ranks 0, 2, max_bin=15 on rank 1; num_leaves differs, too'",
    })
    void shouldNameRanksWhoseParametersDifferAndGoOn(final String most, final String other, final String difference)
    {
        requireSame(LocalJob.call(3, communicator ->
        {
            final int rank = communicator.rank();
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final LightGbmException error = assertThrows(
                    LightGbmException.class, () -> network.parameters(rank == 1 ? other : most));
                assertEquals("parameters differ between ranks: " + difference +
                    ": pass the same parameters on all ranks", error.getMessage());
                assertEquals(List.of(1), error.ranks());
                return new Shard(rank).train(network, network.parameters(Shard.PARAMETERS), 2);
            }
        }));
    }

    @Test
    void shouldPermitRanksToDifferInParametersThatConcernOneRank()
    {
        requireSame(LocalJob.call(2, communicator ->
        {
            final int rank = communicator.rank();
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final String own = rank == 0 ? "metric=auc n_jobs=1 output_model=a" : "verbose=0 metric=none";
                return new Shard(rank).train(network, network.parameters(own + " " + Shard.PARAMETERS), 2);
            }
        }));
    }

    @Test
    void shouldNameTheRankWhoseParametersAreInvalidOnAllRanks()
    {
        requireSame(LocalJob.call(2, communicator ->
        {
            final int rank = communicator.rank();
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                assertEquals("on rank 1: num_machines=4: must be 2, the number of ranks, or left out",
                    assertThrows(IllegalArgumentException.class,
                        () -> network.parameters("num_machines=" + (rank == 1 ? 4 : 2))).getMessage());
                assertEquals("num_machines=4: must be 2, the number of ranks, or left out",
                    assertThrows(IllegalArgumentException.class,
                        () -> network.parameters("num_machines=4")).getMessage());
                return new Shard(rank).train(network, network.parameters(Shard.PARAMETERS), 2);
            }
        }));
    }

    /** A program may pass other parameters than those that were compared. */
    @Test
    void shouldNameRanksWhoseBoostersHaveOtherParameters()
    {
        requireSame(LocalJob.call(3, communicator ->
        {
            final int rank = communicator.rank();
            try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final String parameters = network.parameters(Shard.PARAMETERS);
                final String own = (rank == 2 ? "learning_rate=0.25 " : "") + "metric_freq=" + (rank + 1) + " ";
                try (LGBMDataset dataset = network.call(() -> new Shard(rank).dataset(parameters)))
                {
                    final LightGbmException error = assertThrows(LightGbmException.class,
                        () -> network.call(() -> LGBMBooster.create(dataset, own + parameters)));
                    assertEquals("boosters differ between ranks: learning_rate=0.1 on ranks 0, 1, " +
                        "learning_rate=0.25 on rank 2: pass the same parameters on all ranks, and create their " +
                        "datasets while the network is open", error.getMessage());
                    assertEquals(List.of(2), error.ranks());
                }
                return new Shard(rank).train(network, parameters, 2);
            }
        }));
    }

    /** Each rank has then chosen bins by its own rows. */
    @Test
    void shouldRejectBoostersOfDatasetsThatWereCreatedWithoutNetwork()
    {
        LocalJob.run(2, communicator ->
        {
            TuttiLightGbm.network(communicator).close();
            final Shard shard = new Shard(communicator.rank());
            try (LGBMDataset dataset = shard.dataset(Shard.PARAMETERS);
                LightGbmNetwork network = TuttiLightGbm.network(communicator))
            {
                final String parameters = network.parameters(Shard.PARAMETERS);
                final LightGbmException error = assertThrows(LightGbmException.class,
                    () -> network.call(() -> LGBMBooster.create(dataset, parameters)));
                assertTrue(error.getMessage().startsWith("boosters differ between ranks: feature_infos[0]=["),
                    error.getMessage());
            }
        });
    }

    @Test
    void shouldReadSettingsInModels()
    {
        assertEquals(
            Map.of("num_class", "1", "feature_names[0]", "a", "feature_names[1]", "b", "objective", "binary",
                "feature_infos[0]", "[0:1]", "feature_infos[1]", "1:2", "learning_rate", "0.1", "label_column", ""),
            BoosterSettings.parse("""
                tree
                num_class=1
                objective=binary sigmoid:1
                feature_names=a b
                feature_infos=[0:1] 1:2
                tree_sizes=

                end of trees

                feature_importances:
                a=5

                parameters:
                [objective: binary]
                [learning_rate: 0.1]
                [num_threads: 7]
                [label_column: ]

                end of parameters
                """));
    }
}
