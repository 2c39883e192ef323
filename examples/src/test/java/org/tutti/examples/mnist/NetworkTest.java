/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NetworkTest
{
    private static final long SEED = 7;
    private static final int IMAGES = 6;

    private final Digits digits = Digits.training(null);
    private final int[] order = IntStream.range(0, digits.count()).toArray();
    private final Network network = new Network(20, IMAGES);

    @BeforeEach
    void initialise()
    {
        network.initialise(SEED);
    }

    @Test
    void shouldMatchFiniteDifferences()
    {
        final float[][] parameters = network.parameters();
        network.learn(digits, order, 0, IMAGES, 1);
        final float[][] gradients = copy(network.gradients());
        final Random random = new Random(SEED);
        double squaredError = 0;
        double squaredGradient = 0;

        // Some of each kind: weights of pixels near the middle, biases and weights of units, biases of classes.
        for (int check = 0; check < 400; check++)
        {
            final int row = random.nextInt(2) == 0 ?
                28 * (10 + random.nextInt(8)) + 10 + random.nextInt(8) :
                Digits.PIXELS + random.nextInt(parameters.length - Digits.PIXELS);
            final int column = random.nextInt(parameters[row].length);
            final double expected = finiteDifference(row, column);
            final double error = gradients[row][column] - expected;
            squaredError += error * error;
            squaredGradient += expected * expected;
        }

        assertTrue(squaredGradient > 1, "the checked gradients must not all be near zero");
        assertEquals(0, Math.sqrt(squaredError / squaredGradient), 1e-2);
    }

    @Test
    void shouldSumGradientsOfSharesToThoseOfTheBatch()
    {
        final float loss = network.learn(digits, order, 0, IMAGES, 0.5f);
        final float[][] whole = copy(network.gradients());

        final float firstLoss = network.learn(digits, order, 0, 1, 0.5f);
        final float[][] first = copy(network.gradients());
        final float secondLoss = network.learn(digits, order, 1, IMAGES, 0.5f);
        final float[][] second = network.gradients();

        assertEquals(loss, firstLoss + secondLoss, 1e-5);
        for (int row = 0; row < whole.length; row++)
        {
            for (int i = 0; i < whole[row].length; i++)
            {
                assertEquals(whole[row][i], first[row][i] + second[row][i], 1e-5f, "row " + row + ", element " + i);
            }
        }
    }

    @Test
    void shouldReturnZeroLossAndGradientsWhenShareIsEmpty()
    {
        network.learn(digits, order, 0, IMAGES, 1);

        assertEquals(0f, network.learn(digits, order, 3, 3, 1));

        for (final float[] row : network.gradients())
        {
            for (final float element : row)
            {
                assertEquals(0f, element);
            }
        }
    }

    @Test
    void shouldPredictUniformlyBeforeTraining()
    {
        final Network zero = new Network(5, IMAGES);

        assertEquals(IMAGES * Math.log(10), zero.learn(digits, order, 0, IMAGES, 1), 1e-4);
    }

    @Test
    void shouldRecogniseTrainingImages()
    {
        for (int step = 0; step < 100; step++)
        {
            network.learn(digits, order, 0, IMAGES, 1f / IMAGES);
            for (int row = 0; row < network.parameters().length; row++)
            {
                for (int i = 0; i < network.parameters()[row].length; i++)
                {
                    network.parameters()[row][i] -= 0.1f * network.gradients()[row][i];
                }
            }
        }

        assertEquals(IMAGES, network.recognised(digits, order, 0, IMAGES));
    }

    @Test
    void shouldDrawEqualWeightsOnlyFromEqualSeeds()
    {
        final Network other = new Network(20, 1);
        other.initialise(SEED);
        assertEquals(Rows.fingerprint(network.parameters()), Rows.fingerprint(other.parameters()));

        other.initialise(SEED + 1);
        assertTrue(Rows.fingerprint(network.parameters()) != Rows.fingerprint(other.parameters()));
    }

    private double finiteDifference(final int row, final int column)
    {
        final float step = 1e-2f;
        final float[] parameters = network.parameters()[row];
        final float before = parameters[column];
        parameters[column] = before + step;
        final double above = network.learn(digits, order, 0, IMAGES, 1);
        parameters[column] = before - step;
        final double below = network.learn(digits, order, 0, IMAGES, 1);
        parameters[column] = before;
        return (above - below) / (2 * step);
    }

    private static float[][] copy(final float[][] rows)
    {
        final float[][] copy = Rows.like(rows);
        for (int i = 0; i < rows.length; i++)
        {
            System.arraycopy(rows[i], 0, copy[i], 0, rows[i].length);
        }
        return copy;
    }
}
