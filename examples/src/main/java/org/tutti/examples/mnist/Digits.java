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

/** Handwritten digits with their labels, all in memory. Immutable, thread-safe. */
final class Digits
{
    /** Pixels to a side. */
    static final int SIDE = 28;
    /** Pixels of an image. */
    static final int PIXELS = SIDE * SIDE;
    /** How many classes there are. */
    static final int CLASSES = 10;

    private final byte[] pixels;
    private final byte[] labels;

    private Digits(final byte[] pixels, final byte[] labels)
    {
        this.pixels = pixels;
        this.labels = labels;
    }

    /**
     * The digits to train on.
     *
     * @param directory the directory that has the files by their published names, or null for those that come with the
     *                  example.
     * @return at least one.
     * @throws DataException if a file is missing or wrong.
     */
    static Digits training(final Path directory)
    {
        return load(directory, "train");
    }

    /**
     * The digits to judge by, which training never sees.
     *
     * @param directory the directory that has the files by their published names, or null for those that come with the
     *                  example.
     * @return at least one.
     * @throws DataException if a file is missing or wrong.
     */
    static Digits heldOut(final Path directory)
    {
        return load(directory, "t10k");
    }

    /**
     * How many there are.
     *
     * @return at least 1.
     */
    int count()
    {
        return labels.length;
    }

    /**
     * What an image shows.
     *
     * @param digit index of the digit, from 0 to {@link #count()} - 1.
     * @return from 0 to 9.
     */
    int label(final int digit)
    {
        return labels[digit];
    }

    /**
     * How bright a pixel is.
     *
     * @param digit index of the digit, from 0 to {@link #count()} - 1.
     * @param pixel index of the pixel, from 0 to {@link #PIXELS} - 1, by rows.
     * @return from 0, black, to 1.
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
            throw new DataException(imagesName + ": has images of " + images.size(1) + " by " + images.size(2) +
                " pixels, must be " + SIDE + " by " + SIDE + ": give images as MNIST has them");
        }
        if (images.size(0) != labels.size(0))
        {
            throw new DataException(imagesName + " has " + images.size(0) + " images, " + labelsName + " has " +
                labels.size(0) + " labels: they do not belong together, get both again");
        }
        if (labels.size(0) == 0)
        {
            throw new DataException(imagesName + ": has no images: at least 1 is needed, give some");
        }
        for (final byte label : labels.elements())
        {
            if (label < 0 || label >= CLASSES)
            {
                throw new DataException(labelsName + ": has the label " + (label & 0xff) +
                    ": must be from 0 to 9, give the labels of digits");
            }
        }
        return new Digits(images.elements(), labels.elements());
    }

    /** What a file is called in messages, and where it is: with the user's directory, if that is where it is. */
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
                "): make sure that you may read it", e);
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
        throw new DataException(name + " is not there, and neither is " + name +
            ".gz: --data must name a directory with the four files of MNIST in the IDX format");
    }
}
