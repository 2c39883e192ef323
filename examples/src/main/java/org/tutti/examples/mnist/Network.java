/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A network of one hidden layer: pixels, units that answer {@code x} above zero and {@code x / (1 - x)} below, and a
 * softmax over the digits, judged by the cross entropy. Not thread-safe; allocates nothing after construction.
 * <p>
 * Why not the usual {@code max(x, 0)}: its slope jumps at zero. Sums over other numbers of ranks are rounded otherwise;
 * sooner or later a unit is so near to zero that this decides its slope, and training goes another way. Where the slope
 * is continuous, a difference in rounding stays one.
 * <p>
 * Parameters and gradients are rows of the same shape: one per pixel (its weight to each hidden unit), the biases of
 * the hidden units, one per class (its weight from each hidden unit), the biases of the classes. So nearly all the work
 * is {@link #addScaled} on rows as long as the hidden layer is wide. Pixels lie transposed, all images of one pixel
 * together: a row of weights is fetched once per batch, and black pixels, four of five, cost nothing.
 */
final class Network
{
    private static final int HIDDEN_BIAS = Digits.PIXELS;
    private static final int CLASS_WEIGHTS = HIDDEN_BIAS + 1;
    private static final int CLASS_BIAS = CLASS_WEIGHTS + Digits.CLASSES;

    private final float[][] parameters = new float[CLASS_BIAS + 1][];
    private final float[][] gradients;
    private final float[][] pixels;
    private final float[][] hidden;
    private final float[][] hiddenErrors;
    private final float[][] classes;
    private final int[] labels;

    /**
     * A network whose parameters are all zero.
     *
     * @param width    width of the hidden layer, at least 1.
     * @param maxBatch the most images that it will see at once, at least 1.
     */
    Network(final int width, final int maxBatch)
    {
        Arrays.setAll(parameters, row -> new float[row == CLASS_BIAS ? Digits.CLASSES : width]);
        gradients = Rows.like(parameters);
        pixels = new float[Digits.PIXELS][maxBatch];
        hidden = new float[maxBatch][width];
        hiddenErrors = new float[maxBatch][width];
        classes = new float[maxBatch][Digits.CLASSES];
        labels = new int[maxBatch];
    }

    /**
     * Draws the weights: normal, with a variance of one over the number of inputs. Biases stay zero.
     *
     * @param seed seed of the weights.
     */
    void initialise(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        for (int row = 0; row < CLASS_BIAS; row++)
        {
            final int inputs = row < HIDDEN_BIAS ? Digits.PIXELS : parameters[row].length;
            for (int i = 0; row != HIDDEN_BIAS && i < parameters[row].length; i++)
            {
                parameters[row][i] = (float)(random.nextGaussian() * Math.sqrt(1.0 / inputs));
            }
        }
    }

    /**
     * The weights and biases.
     *
     * @return the rows themselves, to be changed.
     */
    float[][] parameters()
    {
        return parameters;
    }

    /**
     * What {@link #learn} found.
     *
     * @return the rows themselves, in the shape of the parameters.
     */
    float[][] gradients()
    {
        return gradients;
    }

    /**
     * The most images at once.
     *
     * @return at least 1.
     */
    int maxBatch()
    {
        return labels.length;
    }

    /**
     * Computes the gradients of the loss of some images, summed and scaled.
     *
     * @param digits digits to take from.
     * @param order  numbers of images.
     * @param from   first place in the order.
     * @param to     behind the last; no more than {@link #maxBatch()} later, and perhaps equal: then all is zero.
     * @param scale  factor of loss and gradients.
     * @return the loss of these images, summed and scaled.
     */
    float learn(final Digits digits, final int[] order, final int from, final int to, final float scale)
    {
        final int count = to - from;
        load(digits, order, from, count);
        forward(count);
        double loss = 0;
        for (int image = 0; image < count; image++)
        {
            loss += softmaxErrors(classes[image], labels[image], scale);
        }
        backward(count);
        return (float)(loss * scale);
    }

    /**
     * How many images are recognised.
     *
     * @param digits digits to take from.
     * @param order  numbers of images.
     * @param from   first place in the order.
     * @param to     behind the last; no more than {@link #maxBatch()} later.
     * @return from 0 to {@code to - from}.
     */
    int recognised(final Digits digits, final int[] order, final int from, final int to)
    {
        final int count = to - from;
        load(digits, order, from, count);
        forward(count);
        int recognised = 0;
        for (int image = 0; image < count; image++)
        {
            int best = 0;
            for (int k = 1; k < Digits.CLASSES; k++)
            {
                best = classes[image][k] > classes[image][best] ? k : best;
            }
            recognised += best == labels[image] ? 1 : 0;
        }
        return recognised;
    }

    private void load(final Digits digits, final int[] order, final int from, final int count)
    {
        for (int image = 0; image < count; image++)
        {
            final int digit = order[from + image];
            labels[image] = digits.label(digit);
            for (int pixel = 0; pixel < Digits.PIXELS; pixel++)
            {
                pixels[pixel][image] = digits.pixel(digit, pixel);
            }
        }
    }

    private void forward(final int count)
    {
        for (int image = 0; image < count; image++)
        {
            System.arraycopy(parameters[HIDDEN_BIAS], 0, hidden[image], 0, hidden[image].length);
        }
        for (int pixel = 0; pixel < Digits.PIXELS; pixel++)
        {
            final float[] brightness = pixels[pixel];
            for (int image = 0; image < count; image++)
            {
                if (brightness[image] != 0)
                {
                    addScaled(brightness[image], parameters[pixel], hidden[image]);
                }
            }
        }
        for (int image = 0; image < count; image++)
        {
            activate(hidden[image]);
            for (int k = 0; k < Digits.CLASSES; k++)
            {
                classes[image][k] = parameters[CLASS_BIAS][k] + dot(parameters[CLASS_WEIGHTS + k], hidden[image]);
            }
        }
    }

    private void backward(final int count)
    {
        for (final float[] row : gradients)
        {
            Arrays.fill(row, 0);
        }
        for (int image = 0; image < count; image++)
        {
            final float[] errors = hiddenErrors[image];
            Arrays.fill(errors, 0);
            for (int k = 0; k < Digits.CLASSES; k++)
            {
                addScaled(classes[image][k], hidden[image], gradients[CLASS_WEIGHTS + k]);
                addScaled(classes[image][k], parameters[CLASS_WEIGHTS + k], errors);
            }
            addScaled(1, classes[image], gradients[CLASS_BIAS]);
            multiplyBySlope(hidden[image], errors);
            addScaled(1, errors, gradients[HIDDEN_BIAS]);
        }
        for (int pixel = 0; pixel < Digits.PIXELS; pixel++)
        {
            final float[] brightness = pixels[pixel];
            for (int image = 0; image < count; image++)
            {
                if (brightness[image] != 0)
                {
                    addScaled(brightness[image], hiddenErrors[image], gradients[pixel]);
                }
            }
        }
    }

    /** Turns scores into {@code (probability - wanted) * scale}, the gradient; returns the loss, unscaled. */
    private static double softmaxErrors(final float[] scores, final int label, final float scale)
    {
        float max = scores[0];
        for (final float score : scores)
        {
            max = Math.max(max, score);
        }
        double sum = 0;
        for (final float score : scores)
        {
            sum += Math.exp(score - max);
        }
        final double loss = Math.log(sum) - (scores[label] - max);
        for (int k = 0; k < scores.length; k++)
        {
            final double probability = Math.exp(scores[k] - max) / sum;
            scores[k] = (float)((probability - (k == label ? 1 : 0)) * scale);
        }
        return loss;
    }

    private static void addScaled(final float factor, final float[] row, final float[] sum)
    {
        for (int i = 0; i < sum.length; i++)
        {
            sum[i] += factor * row[i];
        }
    }

    private static float dot(final float[] left, final float[] right)
    {
        float sum = 0;
        for (int i = 0; i < left.length; i++)
        {
            sum += left[i] * right[i];
        }
        return sum;
    }

    private static void activate(final float[] units)
    {
        for (int i = 0; i < units.length; i++)
        {
            units[i] /= 1 - Math.min(units[i], 0);
        }
    }

    /** With y = x / (1 - x), the slope dy / dx is (1 + y)^2; above zero it is 1. */
    private static void multiplyBySlope(final float[] units, final float[] errors)
    {
        for (int i = 0; i < errors.length; i++)
        {
            final float root = 1 + Math.min(units[i], 0);
            errors[i] *= root * root;
        }
    }
}
