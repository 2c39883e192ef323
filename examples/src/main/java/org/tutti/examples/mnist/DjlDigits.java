/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/** Digits as arrays of DJL. */
final class DjlDigits
{
    private DjlDigits()
    {
    }

    /**
     * Returns the images.
     *
     * @param manager manager of the array.
     * @param digits  digits to copy.
     * @param count   number of digits, from the first.
     * @return array of {@code count} images with one channel.
     */
    static NDArray images(final NDManager manager, final Digits digits, final int count)
    {
        final float[] pixels = new float[count * Digits.PIXELS];
        for (int i = 0; i < pixels.length; i++)
        {
            pixels[i] = digits.pixel(i / Digits.PIXELS, i % Digits.PIXELS);
        }
        return manager.create(pixels, new Shape(count, 1, Digits.SIDE, Digits.SIDE));
    }

    /**
     * Returns the labels.
     *
     * @param manager manager of the array.
     * @param digits  digits to copy.
     * @param count   number of digits, from the first.
     * @return array of {@code count} labels.
     */
    static NDArray labels(final NDManager manager, final Digits digits, final int count)
    {
        final float[] labels = new float[count];
        for (int i = 0; i < count; i++)
        {
            labels[i] = digits.label(i);
        }
        return manager.create(labels, new Shape(count));
    }
}
