/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.CostModel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Calls of so many ranks that storing a schedule per rank, or simulating each rank, would not do. */
class ManyRanksTest
{
    private static final int MANY = 1 << 17;

    @ParameterizedTest
    @CsvSource({
        "ALLREDUCE, recursive_doubling, 262144, 16384, 1",
        "ALLREDUCE, rabenseifner, 262144, 262144, 1",
        "BARRIER, dissemination, 0, 1, 1"})
    void shouldSimulateOneOfManyRanksThatDoTheSame(
        final Collective collective, final String name, final long count, final long segment, final int ranks)
    {
        final Prediction prediction = Calls.simulator(CostModel.DEFAULT, "flat", MANY)
            .predict(Calls.of(collective, name, MANY, count, segment, 2));

        assertEquals(Method.SYMMETRIC, prediction.method());
        assertEquals(ranks, prediction.simulatedRanks());
    }

    @ParameterizedTest
    @CsvSource({
        "BROADCAST, binomial, 262144, 8192, 8", "BROADCAST, knomial_4, 262144, 8192, 8",
        "REDUCE, binomial, 262144, 8192, 4", "REDUCE, knomial_4, 262144, 8192, 4",
        "ALLREDUCE, double_binary_tree, 1024, 8192, 4"})
    @Tag("torture")
    void shouldSimulateAllOfManyRanksInTrees(
        final Collective collective, final String name, final long count, final long segment, final int window)
    {
        final Prediction prediction = Calls.simulator(CostModel.DEFAULT, "flat", MANY)
            .predict(Calls.of(collective, name, MANY, count, segment, window));

        assertEquals(Method.FULL, prediction.method());
        assertEquals(MANY, prediction.simulatedRanks());
    }

    /** The root of a linear scatter has a step per rank, but all steps together are few. */
    @Test
    void shouldSimulateAllRanksWhenOnlyTheRootHasManySteps()
    {
        final Prediction prediction = Calls.simulator(CostModel.DEFAULT, "flat", 8192)
            .predict(Calls.of(Collective.SCATTER, "linear", 8192, 16, 1024, 4));

        assertEquals(Method.FULL, prediction.method());
    }

    @Test
    void shouldGiveClosedFormWhenRanksDifferAndHaveTooManySteps()
    {
        final SimulatedCall call = Calls.of(Collective.ALLREDUCE, "two_shot", 16384, 262144, 65536, 1);

        final Prediction prediction = Calls.simulator(CostModel.DEFAULT, "flat", 16384).predict(call);

        assertEquals(Method.CLOSED_FORM, prediction.method());
        assertEquals(0, prediction.simulatedRanks());
        assertTrue(prediction.seconds() > 0 && Double.isFinite(prediction.seconds()), () -> prediction.toString());
        assertTrue(Double.isNaN(prediction.error()));
    }
}
