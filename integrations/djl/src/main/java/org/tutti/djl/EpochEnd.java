/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.Device;
import ai.djl.metric.Metric;
import ai.djl.metric.Metrics;
import ai.djl.nn.Parameter;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.evaluator.Evaluator;
import ai.djl.training.initializer.Initializer;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.util.PairList;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

/**
 * The caller's configuration with listeners that make the ranks agree at the end of an epoch: on running statistics
 * before the first of the caller's listeners, which may save the model; on the results of evaluators right after the
 * listener that computes them, so that listeners which stop the training decide the same on all ranks.
 */
final class EpochEnd implements TrainingConfig
{
    private final TrainingConfig config;
    private final List<TrainingListener> listeners;

    EpochEnd(final TrainingConfig config)
    {
        this(config, new ArrayList<>());
        listeners.add(new ModelListener());
        for (final TrainingListener listener : config.getTrainingListeners())
        {
            listeners.add(listener);
            if (listener instanceof final EvaluatorTrainingListener evaluators)
            {
                listeners.add(new ResultsListener(evaluators.getLatestEvaluations()));
            }
        }
    }

    private EpochEnd(final TrainingConfig config, final List<TrainingListener> listeners)
    {
        this.config = config;
        this.listeners = listeners;
    }

    /**
     * Returns a configuration for a trainer that is not used.
     *
     * @param config configuration.
     * @return the same without listeners.
     */
    static TrainingConfig withoutListeners(final TrainingConfig config)
    {
        return new EpochEnd(config, List.of());
    }

    private static final class ModelListener extends TrainingListenerAdapter
    {
        @Override
        public void onEpoch(final Trainer trainer)
        {
            ((DistributedTrainer)trainer).endEpoch();
        }
    }

    private static final class ResultsListener extends TrainingListenerAdapter
    {
        private final Map<String, Float> results;

        ResultsListener(final Map<String, Float> results)
        {
            this.results = results;
        }

        @Override
        public void onEpoch(final Trainer trainer)
        {
            final List<String> names = results.keySet().stream().sorted().toList();
            final double[] values = names.stream().mapToDouble(results::get).toArray();
            ((DistributedTrainer)trainer).average(values);
            for (int i = 0; i < values.length; i++)
            {
                results.put(names.get(i), (float)values[i]);
            }
            if (trainer.getMetrics() != null)
            {
                trainer.getEvaluators().forEach(evaluator -> replaceMetrics(trainer.getMetrics(), evaluator));
            }
        }

        /** Replaces the values that the evaluators' listener has just added. */
        private void replaceMetrics(final Metrics metrics, final Evaluator evaluator)
        {
            replaceLatest(metrics, EvaluatorTrainingListener.metricName(evaluator,
                EvaluatorTrainingListener.TRAIN_EPOCH), results.get("train_" + evaluator.getName()));
            replaceLatest(metrics, EvaluatorTrainingListener.metricName(evaluator,
                EvaluatorTrainingListener.VALIDATE_EPOCH), results.get("validate_" + evaluator.getName()));
        }

        private static void replaceLatest(final Metrics metrics, final String name, final Float value)
        {
            final List<Metric> latest = metrics.getMetric(name);
            if (!latest.isEmpty() && value != null)
            {
                latest.set(latest.size() - 1, new Metric(name, value));
            }
        }
    }

    @Override
    public Device[] getDevices()
    {
        return config.getDevices();
    }

    @Override
    public PairList<Initializer, Predicate<Parameter>> getInitializers()
    {
        return config.getInitializers();
    }

    @Override
    public Optimizer getOptimizer()
    {
        return config.getOptimizer();
    }

    @Override
    public Loss getLossFunction()
    {
        return config.getLossFunction();
    }

    @Override
    public ExecutorService getExecutorService()
    {
        return config.getExecutorService();
    }

    @Override
    public List<Evaluator> getEvaluators()
    {
        return config.getEvaluators();
    }

    @Override
    public List<TrainingListener> getTrainingListeners()
    {
        return listeners;
    }
}
