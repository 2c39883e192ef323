/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DigitsTest
{
    private static final String TRAIN_IMAGES = "train-images-idx3-ubyte";
    private static final String TRAIN_LABELS = "train-labels-idx1-ubyte";

    @TempDir
    private Path directory;

    @Test
    void shouldBundleTenThousandDigitsOfAllClasses()
    {
        final Digits training = Digits.training(null);
        final Digits heldOut = Digits.heldOut(null);

        assertEquals(8_000, training.count());
        assertEquals(2_000, heldOut.count());
        for (int k = 0; k < Digits.CLASSES; k++)
        {
            assertTrue(countOf(training, k) >= 600, "training images of " + k);
            assertTrue(countOf(heldOut, k) >= 150, "held-out images of " + k);
        }
    }

    @Test
    void shouldHoldOutOnlyImagesThatAreNotTrainedOn()
    {
        final Set<String> seen = new HashSet<>();
        final Digits training = Digits.training(null);
        for (int i = 0; i < training.count(); i++)
        {
            seen.add(Arrays.toString(image(training, i)));
        }

        final Digits heldOut = Digits.heldOut(null);
        for (int i = 0; i < heldOut.count(); i++)
        {
            assertTrue(seen.add(Arrays.toString(image(heldOut, i))), "held-out image " + i + " is a duplicate");
        }
        assertEquals(10_000, seen.size());
    }

    @Test
    void shouldBundleLabelsThatMatchImages()
    {
        final Digits training = Digits.training(null);
        final double[][] means = new double[Digits.CLASSES][Digits.PIXELS];
        for (int i = 0; i < training.count(); i++)
        {
            final int label = training.label(i);
            for (int pixel = 0; pixel < Digits.PIXELS; pixel++)
            {
                means[label][pixel] += training.pixel(i, pixel);
            }
        }
        for (int k = 0; k < Digits.CLASSES; k++)
        {
            final double[] mean = means[k];
            final int count = countOf(training, k);
            Arrays.setAll(mean, pixel -> mean[pixel] / count);
        }

        final Digits heldOut = Digits.heldOut(null);
        int nearest = 0;
        for (int i = 0; i < heldOut.count(); i++)
        {
            nearest += nearestMean(means, image(heldOut, i)) == heldOut.label(i) ? 1 : 0;
        }

        // Four of five are nearest to the mean image of their own class; by chance one of ten would be.
        assertTrue(nearest > 1_500, nearest + " of 2000 are nearest to their class's mean");
    }

    @Test
    void shouldLoadPlainAndGzippedFilesOfDirectory() throws IOException
    {
        Files.write(directory.resolve(TRAIN_IMAGES), Idx.images(3, 28, 28));
        Files.write(directory.resolve(TRAIN_LABELS + ".gz"), Idx.gzip(Idx.labels(7, 0, 9)));

        final Digits digits = Digits.training(directory);

        assertEquals(3, digits.count());
        assertEquals(7, digits.label(0));
        assertEquals(9, digits.label(2));
        assertEquals(0f, digits.pixel(0, 0));
        assertEquals(((31 * (784 + 5)) & 0xff) / 255f, digits.pixel(1, 5));
    }

    @Test
    void shouldNameMissingFileAndOption() throws IOException
    {
        Files.write(directory.resolve(TRAIN_IMAGES), Idx.images(1, 28, 28));

        assertRefused(TRAIN_LABELS, "--data");
    }

    @Test
    void shouldRejectDifferentNumbersOfImagesAndLabels() throws IOException
    {
        write(Idx.images(2, 28, 28), Idx.labels(1, 2, 3));

        assertRefused("2 images", "3 labels");
    }

    @Test
    void shouldRejectImagesOfAnotherSize() throws IOException
    {
        write(Idx.images(2, 32, 30), Idx.labels(1, 2));

        assertRefused("32 by 30", "28 by 28");
    }

    @Test
    void shouldRejectLabelsOutOfRange() throws IOException
    {
        write(Idx.images(2, 28, 28), Idx.labels(1, 255));

        assertRefused(TRAIN_LABELS, "label 255", "0 to 9");
    }

    @Test
    void shouldRejectSetWithoutImages() throws IOException
    {
        write(Idx.images(0, 28, 28), Idx.labels());

        assertRefused("no images");
    }

    private void write(final byte[] images, final byte[] labels) throws IOException
    {
        Files.write(directory.resolve(TRAIN_IMAGES), images);
        Files.write(directory.resolve(TRAIN_LABELS), labels);
    }

    private void assertRefused(final String... parts)
    {
        final DataException e = assertThrows(DataException.class, () -> Digits.training(directory));
        assertTrue(e.getMessage().startsWith(directory + "/"), e.getMessage());
        for (final String part : parts)
        {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    private static int countOf(final Digits digits, final int label)
    {
        int count = 0;
        for (int i = 0; i < digits.count(); i++)
        {
            count += digits.label(i) == label ? 1 : 0;
        }
        return count;
    }

    private static float[] image(final Digits digits, final int digit)
    {
        final float[] image = new float[Digits.PIXELS];
        for (int pixel = 0; pixel < Digits.PIXELS; pixel++)
        {
            image[pixel] = digits.pixel(digit, pixel);
        }
        return image;
    }

    private static int nearestMean(final double[][] means, final float[] image)
    {
        int best = 0;
        double bestDistance = Double.MAX_VALUE;
        for (int k = 0; k < means.length; k++)
        {
            double distance = 0;
            for (int pixel = 0; pixel < image.length; pixel++)
            {
                distance += (means[k][pixel] - image[pixel]) * (means[k][pixel] - image[pixel]);
            }
            best = distance < bestDistance ? k : best;
            bestDistance = Math.min(distance, bestDistance);
        }
        return best;
    }
}
