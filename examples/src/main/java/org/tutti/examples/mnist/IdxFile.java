/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * An array of unsigned bytes in the IDX format of the MNIST files, gzipped or not:
 * <pre>
 *   0        1        2        3        4                 4 + 4 * n
 *  +--------+--------+--------+--------+-----------------+-------------
 *  |   0    |   0    | 0x08   |   n    | n sizes, 32 bit | elements ...
 *  +--------+--------+--------+--------+-----------------+-------------
 *                      type    dimensions   big-endian     last index fastest
 * </pre>
 * Only the type 0x08, unsigned bytes, is supported. Immutable by convention: no caller writes the array.
 */
final class IdxFile
{
    private static final int UNSIGNED_BYTES = 0x08;
    private static final int MAX_DIMENSIONS = 3;
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int READ_STEP = 1 << 20;

    private final int[] sizes;
    private final byte[] elements;

    private IdxFile(final int[] sizes, final byte[] elements)
    {
        this.sizes = sizes;
        this.elements = elements;
    }

    /**
     * Reads a complete file.
     *
     * @param name       name of the file, for messages.
     * @param dimensions number of dimensions of the array.
     * @param stream     stream to read to its end; not closed.
     * @return the array.
     * @throws DataException if the file is not an IDX file, is truncated or too long, or cannot be read.
     */
    static IdxFile read(final String name, final int dimensions, final InputStream stream)
    {
        try
        {
            return parse(name, dimensions, new DataInputStream(decompress(stream)));
        }
        catch (final EOFException e)
        {
            throw new DataException(name + ": truncated: download it again", e);
        }
        catch (final IOException e)
        {
            throw new DataException(name + ": cannot be read: " + e.getMessage() + ": download it again", e);
        }
    }

    /**
     * Size of a dimension.
     *
     * @param dimension index of the dimension, from 0.
     * @return size, at least 0.
     */
    int size(final int dimension)
    {
        return sizes[dimension];
    }

    /**
     * All elements, with the last index varying fastest.
     *
     * @return array whose length is the product of the sizes; must not be written.
     */
    byte[] elements()
    {
        return elements;
    }

    private static InputStream decompress(final InputStream stream) throws IOException
    {
        final BufferedInputStream buffered = new BufferedInputStream(stream);
        buffered.mark(2);
        final int magic = buffered.read() << 8 | buffered.read();
        buffered.reset();
        return magic == GZIP_MAGIC ? new BufferedInputStream(new GZIPInputStream(buffered)) : buffered;
    }

    private static IdxFile parse(final String name, final int dimensions, final DataInputStream in) throws IOException
    {
        final int magic = in.readInt();
        if (magic >>> 16 != 0 || (magic & 0xff) < 1 || (magic & 0xff) > MAX_DIMENSIONS)
        {
            throw new DataException(String.format(
                "%s: starts with 0x%08x: not an IDX file, which must start with 0x%08x",
                name, magic, UNSIGNED_BYTES << 8 | dimensions));
        }
        if (magic >>> 8 != UNSIGNED_BYTES)
        {
            throw new DataException(String.format(
                "%s: elements have type 0x%02x: must be 0x08, unsigned bytes", name, magic >>> 8));
        }
        if ((magic & 0xff) != dimensions)
        {
            throw new DataException(String.format("%s: has %d dimensions, must have %d: images have 3, labels 1",
                name, magic & 0xff, dimensions));
        }

        final int[] sizes = new int[dimensions];
        long length = 1;
        for (int i = 0; i < dimensions; i++)
        {
            sizes[i] = in.readInt();
            length = sizes[i] < 0 || length > Integer.MAX_VALUE ? Long.MAX_VALUE : length * sizes[i];
        }
        if (length > Integer.MAX_VALUE - 8)
        {
            throw new DataException(name + ": sizes in the header are " + Arrays.toString(sizes) +
                ": total must be less than 2^31 bytes");
        }
        return new IdxFile(sizes, readElements(name, (int)length, in));
    }

    private static byte[] readElements(final String name, final int length, final InputStream in) throws IOException
    {
        // Grows with the data actually read: a wrong header must not allocate 2 GB.
        byte[] elements = new byte[Math.min(length, READ_STEP)];
        int filled = 0;
        while (filled < length)
        {
            final int read = in.readNBytes(elements, filled, elements.length - filled);
            filled += read;
            if (filled < elements.length)
            {
                throw new DataException(name + ": " + filled + " bytes of elements instead of " + length +
                    ": truncated: download it again");
            }
            elements = Arrays.copyOf(elements, (int)Math.min(length, 2L * elements.length));
        }
        if (in.read() >= 0)
        {
            throw new DataException(name + ": data follows the " + length + " bytes of elements");
        }
        return elements;
    }
}
