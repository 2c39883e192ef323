/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.LocalJob;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class NetworkParametersTest
{
    private static ParameterNames names;

    /** Not in the initializer of this class, for whose end the rank's thread would wait. */
    @BeforeAll
    static void loadNames()
    {
        names = LocalJob.call(1, communicator -> LightGbmLibrary.load(communicator).parameterNames()).getFirst();
    }

    private static NetworkParameters complete(final String own, final int size)
    {
        return NetworkParameters.complete(own, size, names);
    }

    @Test
    void shouldAddParametersThatAreMissing()
    {
        assertEquals("num_machines=2 tree_learner=data pre_partition=true", complete("", 2).text());
        assertEquals("num_leaves=7  objective=binary num_machines=3 tree_learner=data pre_partition=true",
            complete(" num_leaves=7  objective=binary", 3).text());
        assertEquals("tree=voting is_pre_partition=false num_machine=2",
            complete("tree=voting is_pre_partition=false num_machine=2", 2).text());
        assertEquals("tree_learner=serial num_machines=1 pre_partition=true",
            complete("tree_learner=serial", 1).text());
        assertEquals("linear_tree=true num_machines=1 tree_learner=data pre_partition=true",
            complete("linear_tree=true", 1).text());
    }

    @ParameterizedTest
    @CsvSource({
        "num_machines=3,        'num_machines=3: must be 2, the number of ranks, or left out'",
        "tree_learner=serial,   'tree_learner=serial: each rank would train alone: use data or voting'",
        "tree_type=Serial,      'tree_learner=Serial: each rank would train alone: use data or voting'",
        "linear_trees=TRUE,     'linear_tree=TRUE: LightGBM trains linear trees on each rank alone: remove it, or " +
            "use 1 rank'",
        "machines=10.0.0.1:90,  'machines=10.0.0.1:90: ranks communicate through Tutti: remove it'",
        "port=90,               'local_listen_port=90: ranks communicate through Tutti: remove it'",
        "tree=feature,          'tree_learner=feature: LightGBM has this learner in its command line only: use data " +
            "or voting'",
    })
    void shouldRejectParametersThatContradictTheCommunicator(final String parameter, final String message)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class,
            () -> complete("objective=binary " + parameter, 2)).getMessage());
    }

    /** As in LightGBM: the first value of a name, the main name before aliases, then the shortest alias. */
    @Test
    void shouldReadParametersAsLightGbmDoes()
    {
        assertEquals(Map.of("num_leaves", "3", "learning_rate", "0.5", "lambda_l2", "1", "none_such", "2"),
            names.values(" max_leaf=5 num_leaves=3 num_leaves=4\tshrinkage_rate=0.2 eta=0.5\n'reg_lambda'=\"1\" " +
                "none_such=2 "));
        assertEquals(Map.of("header", ""), names.values("header"));
        assertEquals(Map.of(), names.values(" "));
    }

    @Test
    void shouldCompareOnlyParametersThatConcernAllRanks()
    {
        final NetworkParameters parameters = complete("objective=binary nthread=2 verbose=-1 metric=auc " +
            "model_output=a.txt bagging_seed=3 force_row_wise=true", 2);

        assertEquals(
            Map.of("objective", "binary", "bagging_seed", "3", "num_machines", "2", "tree_learner", "data",
                "pre_partition", "true"), parameters.common());
    }
}
