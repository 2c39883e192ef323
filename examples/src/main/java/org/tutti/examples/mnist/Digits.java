/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Handwritten digits with their labels, in memory. Immutable, thread-safe. */
final class Digits
{
    /** Pixels per side of an image. */
    static final int SIDE = 28;
    /** Pixels of an image. */
    static final int PIXELS = SIDE * SIDE;
    /** Number of classes. */
    static final int CLASSES = 10;

    private final byte[] pixels;
    private final byte[] labels;

    private Digits(final byte[] pixels, final byte[] labels)
    {
        this.pixels = pixels;
        this.labels = labels;
    }

    /**
     * Loads the training set.
     *
     * @param directory directory with the files by their published names, or null for the files bundled with the
     *                  example.
     * @return the digits, at least one.
     * @throws DataException if a file is missing or invalid.
     */
    static Digits training(final Path directory)
    {
        return load(directory, "train");
    }

    /**
     * Loads the held-out set, which is not used in training.
     *
     * @param directory directory with the files by their published names, or null for the files bundled with the
     *                  example.
     * @return the digits, at least one.
     * @throws DataException if a file is missing or invalid.
     */
    static Digits heldOut(final Path directory)
    {
        return load(directory, "t10k");
    }

    /**
     * Number of digits.
     *
     * @return number, at least 1.
     */
    int count()
    {
        return labels.length;
    }

    /**
     * Label of a digit.
     *
     * @param digit index of the digit, from 0 to {@link #count()} - 1.
     * @return label, from 0 to 9.
     */
    int label(final int digit)
    {
        return labels[digit];
    }

    /**
     * Brightness of a pixel.
     *
     * @param digit index of the digit, from 0 to {@link #count()} - 1.
     * @param pixel index of the pixel, from 0 to {@link #PIXELS} - 1, in row-major order.
     * @return brightness, from 0 for black to 1.
     */
    float pixel(final int digit, final int pixel)
    {
        return (pixels[digit * PIXELS + pixel] & 0xff) / 255f;
    }

    private static Digits load(final Path directory, final String set)
    {
        final String imagesName = name(directory, set + "-images-idx3-ubyte");
        final String labelsName = name(directory, set + "-labels-idx1-ubyte");
        final IdxFile images = read(directory, imagesName, 3);
        final IdxFile labels = read(directory, labelsName, 1);

        if (images.size(1) != SIDE || images.size(2) != SIDE)
        {
            throw new DataException(imagesName + ": images have " + images.size(1) + " by " + images.size(2) +
                " pixels, must be " + SIDE + " by " + SIDE + ", as in MNIST");
        }
        if (images.size(0) != labels.size(0))
        {
            throw new DataException(imagesName + " has " + images.size(0) + " images, " + labelsName + " has " +
                labels.size(0) + " labels: the numbers must be equal: download both files again");
        }
        if (labels.size(0) == 0)
        {
            throw new DataException(imagesName + ": no images: must have at least 1");
        }
        for (final byte label : labels.elements())
        {
            if (label < 0 || label >= CLASSES)
            {
                throw new DataException(labelsName + ": label " + (label & 0xff) +
                    ": must be from 0 to 9");
            }
        }
        return new Digits(images.elements(), labels.elements());
    }

    /** File name for messages, including the user's directory, if given. */
    private static String name(final Path directory, final String file)
    {
        return directory == null ? file : directory.resolve(file).toString();
    }

    private static IdxFile read(final Path directory, final String name, final int dimensions)
    {
        try (InputStream stream = directory == null ? Digits.class.getResourceAsStream(name + ".gz") : open(name))
        {
            return IdxFile.read(name, dimensions, stream);
        }
        catch (final IOException e)
        {
            throw new DataException(name + ": cannot be opened (" + e.getClass().getSimpleName() +
                "): check its permissions", e);
        }
    }

    private static InputStream open(final String name) throws IOException
    {
        for (final Path file : List.of(Path.of(name), Path.of(name + ".gz")))
        {
            if (Files.isRegularFile(file))
            {
                return Files.newInputStream(file);
            }
        }
        throw new DataException(name + " does not exist, nor does " + name +
            ".gz: --data must name a directory with the four files of MNIST in the IDX format");
    }
}
