/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;

/** Writes valid and invalid IDX files for tests. */
final class Idx
{
    private Idx()
    {
    }

    static byte[] bytes(final int magic, final int[] sizes, final byte[] elements)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(4 + 4 * sizes.length + elements.length).putInt(magic);
        for (final int size : sizes)
        {
            buffer.putInt(size);
        }
        return buffer.put(elements).array();
    }

    static byte[] images(final int count, final int rows, final int columns)
    {
        final byte[] elements = new byte[count * rows * columns];
        for (int i = 0; i < elements.length; i++)
        {
            elements[i] = (byte)(31 * i);
        }
        return bytes(0x0803, new int[]{count, rows, columns}, elements);
    }

    static byte[] labels(final int... labels)
    {
        final byte[] elements = new byte[labels.length];
        for (int i = 0; i < labels.length; i++)
        {
            elements[i] = (byte)labels[i];
        }
        return bytes(0x0801, new int[]{labels.length}, elements);
    }

    static byte[] gzip(final byte[] bytes)
    {
        final ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed))
        {
            gzip.write(bytes);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }
}
