/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;

/**
 * Data-parallel gradient descent with momentum. All ranks hold equal parameters; in each step each rank computes the
 * gradients of its share of the batch, an allreduce averages them, and all ranks apply the same update.
 * <p>
 * <b>Why the average is correct for shares of different sizes.</b> With n images in the batch and p ranks, each rank
 * scales the sum over its images by p / n. The average over ranks, which is the sum divided by p, is then the sum over
 * all images divided by n: the mean with equal weights of all images.
 * <p>
 * <b>Why the ranks stay consistent.</b> They start with what rank 0 broadcasts, and the result of an allreduce is
 * bitwise equal on all ranks, so the same arithmetic gives the same parameters, which {@link #inStep} checks.
 */
final class Trainer implements AutoCloseable
{
    private static final float MOMENTUM = 0.9f;

    private final Communicator world;
    private final Network network;
    private final int batch;
    private final float learningRate;
    private final long seed;
    private final float[][] velocity;
    /** Contiguous gradients followed by the loss: one allreduce per step. */
    private final DataBuffer exchange;
    private LongConsumer afterStep = steps -> {};
    private long steps;
    private double loss;

    /**
     * Creates a trainer and broadcasts the parameters of rank 0.
     *
     * @param world        communicator of the ranks; the caller keeps ownership.
     * @param network      network, initialized at least on rank 0; its maximum batch size is at least this rank's
     *                     share.
     * @param batch        images per step over all ranks, at least 1.
     * @param learningRate learning rate of the descent.
     * @param seed         seed of the order of the images, the same on all ranks.
     */
    Trainer(
        final Communicator world,
        final Network network,
        final int batch,
        final float learningRate,
        final long seed)
    {
        this.world = world;
        this.network = network;
        this.batch = batch;
        this.learningRate = learningRate;
        this.seed = seed;
        velocity = Rows.like(network.parameters());
        exchange = world.allocate(DataType.FLOAT32, Rows.count(network.parameters()) + 1L);

        broadcast(network.parameters());
    }

    private void broadcast(final float[][] rows)
    {
        Rows.copyTo(rows, exchange.segment());
        world.broadcast(exchange, 0);
        Rows.copyFrom(rows, exchange.segment());
    }

    /**
     * Sets what happens after each step.
     *
     * @param action called with the number of steps done, before the next step.
     */
    void afterStep(final LongConsumer action)
    {
        afterStep = action;
    }

    /**
     * Number of steps done, over all epochs.
     *
     * @return number, at least 0.
     */
    long steps()
    {
        return steps;
    }

    /**
     * State of the training.
     *
     * @return state that shares its rows with this trainer.
     */
    Checkpoint state()
    {
        return new Checkpoint(steps, loss, network.parameters(), velocity);
    }

    /**
     * Continues from a state of rank 0. Called by all ranks, before the first step.
     *
     * @param state state on rank 0; not used on others.
     * @throws org.tutti.collectives.CollectiveException if a rank failed.
     */
    void resume(final Checkpoint state)
    {
        if (world.rank() == 0)
        {
            Rows.copy(state.parameters(), network.parameters());
            Rows.copy(state.velocity(), velocity);
            steps = state.steps();
            loss = state.loss();
        }
        broadcast(network.parameters());
        broadcast(velocity);
        final long[] numbers = {steps, Double.doubleToRawLongBits(loss)};
        world.broadcast(numbers, 0);
        steps = numbers[0];
        loss = Double.longBitsToDouble(numbers[1]);
    }

    /**
     * Trains on all images once, or on those that remain of an epoch that was interrupted, then evaluates the held-out
     * images.
     *
     * @param epoch    index of the epoch, from 1.
     * @param training training data, the same on all ranks.
     * @param heldOut  held-out data, the same on all ranks.
     * @return report with the same loss and accuracy on all ranks, and with this rank's times.
     * @throws org.tutti.collectives.CollectiveException if a rank failed.
     */
    EpochReport epoch(final int epoch, final Digits training, final Digits heldOut)
    {
        final int[] order = Shares.order(training.count(), seed, epoch);
        final MemorySegment flat = exchange.segment();
        final long lossIndex = exchange.count() - 1;
        final int first = batch * (int)(steps % stepsPerEpoch(training));
        loss = first == 0 ? 0 : loss;
        long allreduceNs = 0;
        final long startNs = System.nanoTime();

        for (int start = first; start < order.length; start += batch)
        {
            final int images = Math.min(batch, order.length - start);
            final int from = start + Shares.begin(images, world.rank(), world.size());
            final int to = start + Shares.begin(images, world.rank() + 1, world.size());
            final float scale = (float)world.size() / images;

            final float shareOfLoss = network.learn(training, order, from, to, scale);
            Rows.copyTo(network.gradients(), flat);
            flat.setAtIndex(ValueLayout.JAVA_FLOAT, lossIndex, shareOfLoss);

            final long beforeNs = System.nanoTime();
            world.allreduce(exchange, ReduceOp.AVG);
            allreduceNs += System.nanoTime() - beforeNs;

            Rows.copyFrom(network.gradients(), flat);
            loss += (double)images * flat.getAtIndex(ValueLayout.JAVA_FLOAT, lossIndex);
            step();
            steps++;
            afterStep.accept(steps);
        }

        final double elapsedNs = System.nanoTime() - startNs;
        return new EpochReport(
            epoch,
            loss / order.length,
            accuracy(heldOut),
            (order.length - first) / elapsedNs * 1e9,
            allreduceNs / elapsedNs);
    }

    /**
     * Number of steps of an epoch.
     *
     * @param training training data.
     * @return number, at least 1.
     */
    int stepsPerEpoch(final Digits training)
    {
        return Math.ceilDiv(training.count(), batch);
    }

    /**
     * Checks whether the parameters of all ranks are bitwise equal.
     *
     * @return true if they are equal; the same on all ranks.
     * @throws org.tutti.collectives.CollectiveException if a rank failed.
     */
    boolean inStep()
    {
        final long[] smallest = {Rows.fingerprint(network.parameters())};
        final long[] largest = smallest.clone();
        world.allreduce(smallest, ReduceOp.MIN);
        world.allreduce(largest, ReduceOp.MAX);
        return smallest[0] == largest[0];
    }

    /** Frees the registered memory. */
    @Override
    public void close()
    {
        exchange.close();
    }

    /**
     * Evaluates digits on all ranks together.
     *
     * @param digits digits, the same on all ranks.
     * @return fraction of the digits that are recognized, from 0 to 1.
     * @throws org.tutti.collectives.CollectiveException if a rank failed.
     */
    double accuracy(final Digits digits)
    {
        final int[] order = Shares.order(digits.count(), seed, 0);
        final int end = Shares.begin(order.length, world.rank() + 1, world.size());
        final long[] recognised = {0};
        for (int from = Shares.begin(order.length, world.rank(), world.size()); from < end; from += network.maxBatch())
        {
            recognised[0] += network.recognised(digits, order, from, Math.min(end, from + network.maxBatch()));
        }
        world.allreduce(recognised, ReduceOp.SUM);
        return (double)recognised[0] / order.length;
    }

    private void step()
    {
        final float[][] parameters = network.parameters();
        final float[][] gradients = network.gradients();
        for (int row = 0; row < parameters.length; row++)
        {
            step(parameters[row], velocity[row], gradients[row]);
        }
    }

    private void step(final float[] parameter, final float[] speed, final float[] gradient)
    {
        final float rate = learningRate;
        for (int i = 0; i < parameter.length; i++)
        {
            speed[i] = MOMENTUM * speed[i] - rate * gradient[i];
            parameter[i] += speed[i];
        }
    }
}
