/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.metric.Metric;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDArray;
import ai.djl.nn.Parameter;
import ai.djl.training.EasyTrain;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.initializer.ConstantInitializer;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.Trainer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DistributedTrainerTest
{
    private static final float TOLERANCE = 1e-5f;
    private static final float LEARNING_RATE = 0.1f;
    private static final float NARROW_TOLERANCE = 1e-3f;
    private static final int HIDDEN = 16;

    private static List<float[]> train(
        final int ranks, final int batch, final UnaryOperator<DistributedTrainer.Builder> options)
    {
        return train(ranks, batch, LEARNING_RATE, JoinOptions.ofEnvironment(), options);
    }

    private static List<float[]> train(final int ranks, final int batch, final float learningRate,
        final JoinOptions job, final UnaryOperator<DistributedTrainer.Builder> options)
    {
        return LocalJob.call(ranks, job, communicator ->
        {
            try (ToyTraining training = new ToyTraining(
                communicator, ToyTraining.network(HIDDEN), ToyTraining.config(learningRate), options))
            {
                training.initialize();
                training.epoch(batch);
                assertTrue(training.trainer().inStep());
                return training.weights();
            }
        });
    }

    private static void assertBitEqual(final List<float[]> weights)
    {
        for (final float[] others : weights)
        {
            assertArrayEquals(weights.getFirst(), others);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 16, 26214400", "2, 16, 4", "3, 8, 256", "4, 8, 256"})
    void shouldEqualOneRankWithTheBatchOfAllRanks(final int ranks, final int batch, final long bucketBytes)
    {
        final List<float[]> weights = train(ranks, batch, options -> options.bucketBytes(bucketBytes));
        final float[] expected = train(1, ranks * batch, options -> options).getFirst();
        assertBitEqual(weights);
        assertArrayEquals(expected, weights.getFirst(), TOLERANCE);
    }

    @Test
    void shouldComputeTheSameBitsWhateverTheSizeOfBuckets()
    {
        final JoinOptions job = JoinOptions.ofEnvironment().reproducible(true);
        final float[] expected =
            train(3, 8, LEARNING_RATE, job, options -> options.clipNorm(0.5).accumulate(2)).getFirst();
        for (final long bucketBytes : new long[] {4, 52, 400, 1 << 30})
        {
            assertArrayEquals(expected, train(3, 8, LEARNING_RATE, job,
                options -> options.clipNorm(0.5).accumulate(2).bucketBytes(bucketBytes)).getFirst());
        }
    }

    @Test
    void shouldEqualLargerBatchWhenAccumulatingGradients()
    {
        final float[] expected = train(1, 32, options -> options).getFirst();
        assertArrayEquals(expected, train(1, 8, options -> options.accumulate(4)).getFirst(), TOLERANCE);
        final List<float[]> weights = train(2, 8, options -> options.accumulate(2));
        assertBitEqual(weights);
        assertArrayEquals(expected, weights.getFirst(), TOLERANCE);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSumGradientsWhenTold(final WireType wire)
    {
        final float[] average = train(2, 16, options -> options.wireType(wire)).getFirst();
        final float[] sum = train(2, 16, LEARNING_RATE / 2, JoinOptions.ofEnvironment(),
            options -> options.wireType(wire).sum()).getFirst();
        assertArrayEquals(average, sum, wire == WireType.FLOAT32 ? TOLERANCE : NARROW_TOLERANCE);
    }

    @Test
    void shouldClipGradientsByTheirCommonNorm()
    {
        // All gradients exceed this norm, so that only their directions matter.
        final float[] average = train(2, 16, options -> options.clipNorm(1e-3).bucketBytes(4)).getFirst();
        assertArrayEquals(average, train(2, 16, options -> options.clipNorm(1e-3).sum()).getFirst(), TOLERANCE);
        assertArrayEquals(average, train(1, 32, options -> options.clipNorm(1e-3)).getFirst(), TOLERANCE);
        final float[] initial = train(2, 16, 1e-30f, JoinOptions.ofEnvironment(), options -> options).getFirst();
        double squares = 0;
        for (int i = 0; i < initial.length; i++)
        {
            squares += Math.pow(average[i] - initial[i], 2);
        }
        // Three steps of length 1e-4, which momentum adds up to at most 5.61 times as much.
        assertTrue(Math.sqrt(squares) > 1e-5 && Math.sqrt(squares) < 5.7e-4, "moved by " + Math.sqrt(squares));
        assertArrayEquals(train(1, 32, options -> options).getFirst(),
            train(1, 32, options -> options.clipNorm(1e6)).getFirst());
    }

    @ParameterizedTest
    @CsvSource({"BFLOAT16, 128", "FLOAT16, 128", "BFLOAT16, 12", "FLOAT16, 1048576"})
    void shouldStayCloseWhenGradientsTravelInSixteenBits(final WireType wire, final long bucketBytes)
    {
        final List<float[]> weights = train(3, 8, options -> options.wireType(wire).bucketBytes(bucketBytes));
        assertBitEqual(weights);
        assertArrayEquals(train(1, 24, options -> options).getFirst(), weights.getFirst(), NARROW_TOLERANCE);
    }

    @Test
    void shouldRepeatAllBitsWhenReproducible()
    {
        final JoinOptions shm = JoinOptions.ofEnvironment().reproducible(true);
        final JoinOptions tcp = JoinOptions.ofEnvironment().reproducible(true).transport("tcp").device("lo");
        final float[] expected = train(3, 8, LEARNING_RATE, shm, options -> options).getFirst();
        assertArrayEquals(expected, train(3, 8, LEARNING_RATE, shm, options -> options).getFirst());
        assertArrayEquals(expected, train(3, 8, LEARNING_RATE, tcp, options -> options).getFirst());
    }

    @Test
    void shouldAgreeAfterEachEpochOfEasyTrain()
    {
        final List<List<Long>> fingerprints = LocalJob.call(2, communicator ->
        {
            final List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
            final EvaluatorTrainingListener evaluators = new EvaluatorTrainingListener();
            final TrainingListenerAdapter recorder = new TrainingListenerAdapter()
            {
                @Override
                public void onEpoch(final Trainer trainer)
                {
                    epochs.add(((DistributedTrainer)trainer).fingerprint());
                    epochs.add((long)Float.floatToIntBits(trainer.getTrainingResult().getTrainEvaluation("Accuracy")));
                }
            };
            try (ToyTraining training = new ToyTraining(communicator, ToyTraining.normalizedNetwork(),
                ToyTraining.config(evaluators, recorder).addEvaluator(new Accuracy()), options -> options))
            {
                training.initialize();
                final Metrics metrics = new Metrics();
                training.trainer().setMetrics(metrics);
                EasyTrain.fit(training.trainer(), 3, training.dataset(8), training.dataset(8));
                assertTrue(training.trainer().exchangeNs() > 0);
                assertEquals(18, metrics.getMetric("allreduce").size());
                final List<Metric> losses = metrics.getMetric("validate_epoch_SoftmaxCrossEntropyLoss");
                assertEquals(3, losses.size());
                assertEquals(training.trainer().getTrainingResult().getValidateLoss(),
                    losses.getLast().getValue().floatValue());
            }
            return epochs;
        });
        assertEquals(6, fingerprints.getFirst().size());
        assertEquals(fingerprints.get(0), fingerprints.get(1));
    }

    @Test
    void shouldAverageRunningStatisticsAtTheEndOfAnEpoch()
    {
        final List<List<float[]>> means = LocalJob.call(3, communicator ->
        {
            try (ToyTraining training = new ToyTraining(
                communicator, ToyTraining.normalizedNetwork(), ToyTraining.config(), options -> options))
            {
                training.initialize();
                training.epoch(8);
                final NDArray mean = training.parameter(Parameter.Type.RUNNING_MEAN).getArray();
                final float[] own = mean.toFloatArray();
                training.trainer().notifyListeners(listener -> listener.onEpoch(training.trainer()));
                return List.of(own, mean.toFloatArray());
            }
        });
        for (int i = 0; i < means.getFirst().getFirst().length; i++)
        {
            float sum = 0;
            for (final List<float[]> rank : means)
            {
                sum += rank.getFirst()[i];
            }
            for (final List<float[]> rank : means)
            {
                assertEquals(sum / 3, rank.getLast()[i], TOLERANCE);
            }
        }
        assertNotEquals(means.get(0).getFirst()[0], means.get(1).getFirst()[0]);
    }

    @Test
    void shouldUseInitializersOfTheConfiguration()
    {
        LocalJob.run(2, communicator ->
        {
            try (ToyTraining training = new ToyTraining(communicator, ToyTraining.network(HIDDEN), ToyTraining.config()
                .optInitializer(new ConstantInitializer(0.25f), Parameter.Type.WEIGHT), options -> options))
            {
                training.initialize();
                assertEquals(0.25f, training.weights()[0]);
            }
        });
    }

    @Test
    void shouldTrainLoadedModel(@TempDir final Path directory)
    {
        final float[] saved = LocalJob.call(1, communicator ->
        {
            try (ToyTraining training = new ToyTraining(
                communicator, ToyTraining.network(HIDDEN), ToyTraining.config(), options -> options))
            {
                training.initialize();
                training.model().save(directory, "toy");
                return training.weights();
            }
        }).getFirst();
        LocalJob.run(2, communicator ->
        {
            try (ToyTraining training = new ToyTraining(communicator, ToyTraining.network(HIDDEN), ToyTraining.config(),
                options -> options, model -> model.load(directory, "toy")))
            {
                training.initialize();
                assertArrayEquals(saved, training.weights());
                training.epoch(8);
                assertNotEquals(saved[0], training.weights()[0]);
                assertTrue(training.trainer().inStep());
            }
        });
    }

    @Test
    void shouldRejectStepBeforeInitialize()
    {
        LocalJob.run(1, communicator ->
        {
            try (ToyTraining training = new ToyTraining(
                communicator, ToyTraining.network(HIDDEN), ToyTraining.config(), options -> options))
            {
                assertThrows(IllegalStateException.class, training.trainer()::step);
            }
        });
    }
}
