/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.training.GradientCollector;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class InvalidTrainingTest
{
    private static final int RANKS = 3;

    private static ToyTraining training(final Communicator communicator, final Block block,
        final UnaryOperator<DistributedTrainer.Builder> options) throws Exception
    {
        return new ToyTraining(communicator, block, ToyTraining.config(), options);
    }

    /** Returns the error of initialization, which all ranks must throw alike. */
    private static DistributedTrainingException initializationError(
        final Function<Integer, Block> blocks,
        final Function<Integer, UnaryOperator<DistributedTrainer.Builder>> options)
    {
        return same(LocalJob.call(RANKS, communicator ->
        {
            try (ToyTraining training =
                training(communicator, blocks.apply(communicator.rank()), options.apply(communicator.rank())))
            {
                return assertThrows(DistributedTrainingException.class, training::initialize);
            }
        }));
    }

    private static DistributedTrainingException same(final List<DistributedTrainingException> errors)
    {
        for (final DistributedTrainingException error : errors)
        {
            assertEquals(errors.getFirst().getMessage(), error.getMessage());
            assertEquals(errors.getFirst().ranks(), error.ranks());
        }
        return errors.getFirst();
    }

    /** Returns the error of a step of all ranks, of which rank 1 has another input; checks that nothing was updated. */
    private static DistributedTrainingException stepError(final Block[] blocks, final float input, final WireType wire)
    {
        return same(LocalJob.call(RANKS, communicator ->
        {
            final int rank = communicator.rank();
            try (ToyTraining training = training(communicator, blocks[rank], options -> options.wireType(wire)))
            {
                training.initialize();
                final float[] before = training.weights();
                backward(training, rank == 1 ? input : 1);
                final DistributedTrainingException error =
                    assertThrows(DistributedTrainingException.class, training.trainer()::step);
                assertArrayEquals(before, training.weights());
                return error;
            }
        }));
    }

    /** Makes a forward and a backward pass of equal inputs. */
    private static void backward(final ToyTraining training, final float input)
    {
        try (GradientCollector collector = training.trainer().newGradientCollector())
        {
            final NDArray data = training.manager().full(new Shape(2, ToyTraining.FEATURES), input);
            collector.backward(training.trainer().forward(new NDList(data)).singletonOrThrow().sum());
        }
    }

    private static Block[] networks()
    {
        return new Block[] {ToyTraining.network(4), ToyTraining.network(4), ToyTraining.network(4)};
    }

    @Test
    void shouldNameRanksWhoseShapesDiffer()
    {
        final DistributedTrainingException error =
            initializationError(rank -> ToyTraining.network(rank == 1 ? 5 : 4), rank -> options -> options);
        assertTrue(error.getMessage().contains("(4, 8)"), error.getMessage());
        assertTrue(error.getMessage().contains("(5, 8)"), error.getMessage());
        assertTrue(error.getMessage().contains("ranks 0, 2"), error.getMessage());
        assertEquals(List.of(1), error.ranks());
    }

    @Test
    void shouldNameRanksWhoseNumbersOfParametersDiffer()
    {
        final DistributedTrainingException error = initializationError(rank -> rank == 2 ?
            ToyTraining.network(4).add(ToyTraining.network(4)) : ToyTraining.network(4), rank -> options -> options);
        assertEquals("numbers of parameters differ between ranks: 4 on ranks 0, 1, 8 on rank 2: build the same model " +
            "on all ranks", error.getMessage());
        assertEquals(List.of(2), error.ranks());
    }

    @Test
    void shouldNameRanksWhoseOrdersOfParametersDiffer()
    {
        final DistributedTrainingException error =
            initializationError(rank -> new TwoParametersBlock(rank == 1, true), rank -> options -> options);
        assertEquals("parameter 0 differs between ranks: 'first (8) float32' on ranks 0, 2, 'second (8) float32' on " +
            "rank 1: build the same model on all ranks", error.getMessage());
        assertEquals(List.of(1), error.ranks());
    }

    @Test
    void shouldNameRanksWhoseFrozenParametersDiffer()
    {
        final DistributedTrainingException error = initializationError(rank ->
        {
            final SequentialBlock block = ToyTraining.network(4);
            block.getChildren().values().getFirst().freezeParameters(rank == 0);
            return block;
        }, rank -> options -> options);
        assertTrue(error.getMessage().contains("frozen' on rank 0"), error.getMessage());
    }

    @Test
    void shouldNameRanksWhoseOptionsDiffer()
    {
        final DistributedTrainingException error = initializationError(rank -> ToyTraining.network(4),
            rank -> options -> options.accumulate(rank == 0 ? 2 : 1));
        assertTrue(error.getMessage().contains("accumulate=2"), error.getMessage());
        assertTrue(error.getMessage().contains("on rank 0"), error.getMessage());
        assertEquals(List.of(0), error.ranks());
    }

    @Test
    void shouldNameRankAndLossWhenLossIsNotANumber()
    {
        final DistributedTrainingException error = stepError(networks(), Float.NaN, WireType.FLOAT32);
        assertEquals("loss is NaN on rank 1: no rank has changed its parameters", error.getMessage());
        assertEquals(List.of(1), error.ranks());
    }

    @Test
    void shouldNameRankAndParameterWhenGradientIsInfinite()
    {
        final Block[] blocks = new Block[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
        {
            blocks[rank] = new ScaledBlock();
        }
        final DistributedTrainingException error = stepError(blocks, Float.MAX_VALUE, WireType.FLOAT32);
        assertEquals("gradient of parameter scale is not finite at element 0 on rank 1: no rank has changed its " +
            "parameters", error.getMessage());
        assertEquals(List.of(1), error.ranks());
    }

    /** Gradients of other buckets are replaced by reduced ones, before the one that is not finite is found. */
    @ParameterizedTest
    @CsvSource({"FLOAT32, 4", "FLOAT32, 32", "FLOAT32, 1048576", "BFLOAT16, 32", "FLOAT16, 32"})
    void shouldNameElementOfGradientInAnyBucket(final WireType wire, final long bucketBytes)
    {
        final int row = 3;
        final int column = 5;
        final DistributedTrainingException error = same(LocalJob.call(RANKS, communicator ->
        {
            try (ToyTraining training = training(
                communicator, ToyTraining.network(4), options -> options.wireType(wire).bucketBytes(bucketBytes)))
            {
                training.initialize();
                final float[] before = training.weights();
                backward(training, 1);
                if (communicator.rank() == 1)
                {
                    try (NDArray gradient = training.parameter(Parameter.Type.WEIGHT).getArray().getGradient())
                    {
                        gradient.set(new NDIndex(row, column), Float.NEGATIVE_INFINITY);
                    }
                }
                final DistributedTrainingException problem =
                    assertThrows(DistributedTrainingException.class, training.trainer()::step);
                assertArrayEquals(before, training.weights());
                for (final Parameter parameter : training.model().getBlock().getParameters().values())
                {
                    try (NDArray gradient = parameter.getArray().getGradient())
                    {
                        assertArrayEquals(new float[(int)gradient.size()], gradient.toFloatArray());
                    }
                }
                return problem;
            }
        }));
        assertTrue(error.getMessage().endsWith("is not finite at element " +
            (row * ToyTraining.FEATURES + column) + " on rank 1: no rank has changed its parameters"),
            error.getMessage());
        assertEquals(List.of(1), error.ranks());
    }

    @Test
    void shouldNameParameterWhenGradientExceedsWireType()
    {
        final DistributedTrainingException error = stepError(networks(), 1e6f, WireType.FLOAT16);
        assertTrue(error.getMessage().contains("exceeds the range of FLOAT16"), error.getMessage());
        assertTrue(error.getMessage().contains("use WireType.BFLOAT16"), error.getMessage());
    }

    /** Each rank's gradient is finite; their sum is not if all are large. */
    @ParameterizedTest
    @CsvSource({"1, true", "3, false"})
    void shouldRejectSumOfLargeGradientsOnlyIfItIsNotFinite(final int large, final boolean isValid)
    {
        LocalJob.run(RANKS, communicator ->
        {
            try (ToyTraining training = training(communicator, new ScaledBlock(), options -> options))
            {
                training.initialize();
                // The gradient is the sum of 16 inputs.
                backward(training, communicator.rank() < large ? 2e37f : 1);
                if (isValid)
                {
                    training.trainer().step();
                    assertTrue(training.trainer().inStep());
                    assertTrue(Float.isFinite(training.weights()[0]) && training.weights()[0] < -1e36f);
                    return;
                }
                final DistributedTrainingException error =
                    assertThrows(DistributedTrainingException.class, training.trainer()::step);
                assertEquals("reduced gradient of parameter scale exceeds the range of FLOAT32, but that of each " +
                    "rank is finite: scale the loss down", error.getMessage());
                assertEquals(0, training.weights()[0]);
            }
        });
    }

    @Test
    void shouldNameRankAndParameterWhenGradientIsMissing()
    {
        final Block[] blocks = new Block[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
        {
            blocks[rank] = new TwoParametersBlock(false, rank != 2);
        }
        final DistributedTrainingException error = stepError(blocks, 1, WireType.FLOAT32);
        assertTrue(error.getMessage().startsWith("parameter second has no gradient"), error.getMessage());
        assertTrue(error.getMessage().contains("on rank 2"), error.getMessage());
        assertEquals(List.of(2), error.ranks());
    }

    @Test
    void shouldNameMissingGradientInEachStep()
    {
        LocalJob.run(RANKS, communicator ->
        {
            final Block block = new TwoParametersBlock(false, communicator.rank() != 0);
            try (ToyTraining training = training(communicator, block, options -> options.bucketBytes(4)))
            {
                training.initialize();
                for (int step = 0; step < 2; step++)
                {
                    backward(training, 1);
                    final DistributedTrainingException error =
                        assertThrows(DistributedTrainingException.class, training.trainer()::step);
                    assertTrue(error.getMessage().startsWith("parameter second has no gradient"), error.getMessage());
                    assertEquals(List.of(0), error.ranks());
                }
            }
        });
    }

    @Test
    void shouldAcceptGradientOfZeros()
    {
        LocalJob.run(RANKS, communicator ->
        {
            try (ToyTraining training = training(communicator, ToyTraining.network(4), options -> options))
            {
                training.initialize();
                backward(training, 0);
                training.trainer().step();
                assertTrue(training.trainer().inStep());
            }
        });
    }

    @Test
    void shouldContinueAfterInvalidStep()
    {
        final List<float[]> weights = LocalJob.call(RANKS, communicator ->
        {
            try (ToyTraining training = training(communicator, ToyTraining.network(4), options -> options))
            {
                training.initialize();
                backward(training, 1);
                training.trainer().step();
                final float[] before = training.weights();
                backward(training, communicator.rank() == 1 ? Float.POSITIVE_INFINITY : 1);
                assertThrows(DistributedTrainingException.class, training.trainer()::step);
                assertArrayEquals(before, training.weights());
                backward(training, 1);
                training.trainer().step();
                assertTrue(training.trainer().inStep());
                assertFalse(Arrays.equals(before, training.weights()));
                return training.weights();
            }
        });
        for (final float weight : weights.getFirst())
        {
            assertTrue(Float.isFinite(weight));
        }
    }

    @Test
    void shouldNameRankThatCannotInitialize()
    {
        final DistributedTrainingException error = initializationError(rank ->
        {
            final SequentialBlock block = ToyTraining.network(4);
            return rank == 2 ? block.add(new UninitializableBlock()) : block;
        }, rank -> options -> options);
        assertEquals("cannot initialize the model on rank 2: IllegalStateException: no file with embeddings: no rank " +
            "can train", error.getMessage());
        assertEquals(List.of(2), error.ranks());
    }

    @Test
    void shouldRejectModelWithoutParametersToTrain()
    {
        final DistributedTrainingException error = initializationError(rank ->
        {
            final Block block = ToyTraining.network(4);
            block.freezeParameters(true);
            return block;
        }, rank -> options -> options);
        assertTrue(error.getMessage().startsWith("all 4 parameters of the model are frozen"), error.getMessage());
    }

    @Test
    void shouldNameRankThatUpdatesDifferently()
    {
        final DistributedTrainingException error = same(LocalJob.call(RANKS, communicator ->
        {
            try (ToyTraining training = new ToyTraining(communicator, ToyTraining.network(4),
                ToyTraining.config(communicator.rank() == 1 ? 0.2f : 0.1f), options -> options))
            {
                training.initialize();
                backward(training, 1);
                training.trainer().step();
                assertFalse(training.trainer().inStep());
                return assertThrows(DistributedTrainingException.class, () ->
                    training.trainer().notifyListeners(listener -> listener.onEpoch(training.trainer())));
            }
        }));
        assertTrue(error.getMessage().startsWith("values of parameters differ between ranks: "), error.getMessage());
        assertEquals(List.of(1), error.ranks());
    }

    @Test
    void shouldNameRankWhoseRunningStatisticsAreNotFinite()
    {
        final DistributedTrainingException error = same(LocalJob.call(RANKS, communicator ->
        {
            try (ToyTraining training =
                training(communicator, ToyTraining.normalizedNetwork(), options -> options))
            {
                training.initialize();
                backward(training, communicator.rank() == 2 ? Float.NaN : 1);
                return assertThrows(DistributedTrainingException.class, () ->
                    training.trainer().notifyListeners(listener -> listener.onEpoch(training.trainer())));
            }
        }));
        assertTrue(error.getMessage().startsWith("cannot average running statistics on rank 2: "), error.getMessage());
        assertEquals(List.of(2), error.ranks());
    }

    @Test
    void shouldNameRankThatFailsBeforeItsStep()
    {
        final IllegalStateException failure = assertThrows(IllegalStateException.class, () ->
            LocalJob.run(RANKS, communicator ->
            {
                // A bucket per value: several requests are in progress when the communicator fails.
                try (ToyTraining training =
                    training(communicator, ToyTraining.network(4), options -> options.bucketBytes(4)))
                {
                    training.initialize();
                    backward(training, 1);
                    if (communicator.rank() == 2)
                    {
                        throw new IllegalStateException("no more data");
                    }
                    final CollectiveException error =
                        assertThrows(CollectiveException.class, training.trainer()::step);
                    assertTrue(error.getMessage().contains("rank 2"), error.getMessage());
                }
            }));
        assertEquals("no more data", failure.getMessage());
        for (final Throwable other : failure.getSuppressed())
        {
            assertTrue(other instanceof CollectiveException, other.toString());
        }
    }

    @Test
    void shouldRejectInvalidOptions()
    {
        LocalJob.run(1, communicator ->
        {
            final DistributedTrainer.Builder builder = DistributedTrainer.builder(
                communicator, Model.newInstance("invalid"), ToyTraining.config());
            for (final UnaryOperator<DistributedTrainer.Builder> invalid :
                List.<UnaryOperator<DistributedTrainer.Builder>>of(options -> options.accumulate(0),
                    options -> options.clipNorm(0), options -> options.clipNorm(Double.NaN),
                    options -> options.bucketBytes(3)))
            {
                final IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> invalid.apply(builder));
                assertTrue(error.getMessage().contains("must be "), error.getMessage());
            }
        });
    }

    /** Multiplies its input by 0: the gradient, which is the sum of the input, can overflow, but the loss cannot. */
    private static final class ScaledBlock extends AbstractBlock
    {
        private final Parameter scale = addParameter(Parameter.builder().setName("scale").setType(Parameter.Type.BIAS)
            .optShape(new Shape(1)).build());

        @Override
        protected NDList forwardInternal(final ParameterStore store, final NDList inputs,
            final boolean training, final PairList<String, Object> params)
        {
            final NDArray data = inputs.singletonOrThrow();
            return new NDList(data.mul(store.getValue(scale, data.getDevice(), training)));
        }

        @Override
        public Shape[] getOutputShapes(final Shape[] inputs)
        {
            return inputs;
        }
    }

    private static final class UninitializableBlock extends AbstractBlock
    {
        private static final String REASON = "no file with embeddings";

        @Override
        protected NDList forwardInternal(final ParameterStore store, final NDList inputs,
            final boolean training, final PairList<String, Object> params)
        {
            return inputs;
        }

        @Override
        protected void initializeChildBlocks(final NDManager manager, final DataType type, final Shape... inputs)
        {
            throw new IllegalStateException(REASON);
        }

        @Override
        public Shape[] getOutputShapes(final Shape[] inputs)
        {
            return inputs;
        }
    }
}
