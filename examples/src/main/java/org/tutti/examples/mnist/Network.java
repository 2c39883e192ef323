/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A network of one hidden layer: pixels, units with the activation {@code x} above zero and {@code x / (1 - x)} below,
 * and a softmax over the digits with cross-entropy loss. Not thread-safe; does not allocate after construction.
 * <p>
 * The activation is not the usual {@code max(x, 0)}, whose slope jumps at zero: rounding depends on the number of
 * ranks, and sooner or later decides the slope of a unit near zero, after which training diverges from that with
 * another number of ranks. With a continuous slope, rounding differences remain small.
 * <p>
 * Parameters and gradients have the same rows: one per pixel (its weight to each hidden unit), one of the biases of the
 * hidden units, one per class (its weight from each hidden unit), and one of the biases of the classes. Nearly all the
 * work is {@link #addScaled} on rows as long as the hidden layer is wide. The pixels of a batch are transposed, so that
 * one pixel of all images is contiguous: a row of weights is loaded once per batch, and black pixels, four of five,
 * cost nothing.
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
     * Creates a network whose parameters are all zero.
     *
     * @param width    width of the hidden layer, at least 1.
     * @param maxBatch maximum batch size, at least 1.
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
     * Initialises the weights from a normal distribution whose variance is one over the number of inputs. Biases stay
     * 0.
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
     * Weights and biases.
     *
     * @return the rows themselves, which the caller may change.
     */
    float[][] parameters()
    {
        return parameters;
    }

    /**
     * Gradients of the last {@link #learn}.
     *
     * @return the rows themselves, in the shape of the parameters.
     */
    float[][] gradients()
    {
        return gradients;
    }

    /**
     * Maximum batch size.
     *
     * @return number of images, at least 1.
     */
    int maxBatch()
    {
        return labels.length;
    }

    /**
     * Computes the summed and scaled gradients of the loss of some images.
     *
     * @param digits images and labels.
     * @param order  indices of images.
     * @param from   first position in the order.
     * @param to     end position, exclusive; at most {@code from} + {@link #maxBatch()}; if equal to {@code from}, the
     *               gradients are 0.
     * @param scale  factor of loss and gradients.
     * @return summed and scaled loss of these images.
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
     * Counts the recognized images.
     *
     * @param digits images and labels.
     * @param order  indices of images.
     * @param from   first position in the order.
     * @param to     end position, exclusive; at most {@code from} + {@link #maxBatch()}.
     * @return number of images, from 0 to {@code to - from}.
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

    /** Replaces scores by {@code (probability - target) * scale}, the gradient; returns the unscaled loss. */
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

    /** For y = x / (1 - x) the slope dy / dx is (1 + y)^2; above zero it is 1. */
    private static void multiplyBySlope(final float[] units, final float[] errors)
    {
        for (int i = 0; i < errors.length; i++)
        {
            final float root = 1 + Math.min(units[i], 0);
            errors[i] *= root * root;
        }
    }
}
