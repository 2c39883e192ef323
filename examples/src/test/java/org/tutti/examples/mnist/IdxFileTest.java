/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class IdxFileTest
{
    @Test
    void shouldReadSizesAndElements()
    {
        final byte[] elements = {1, 2, 3, 4, 5, (byte)200};

        final IdxFile file = read(3, Idx.bytes(0x0803, new int[]{1, 2, 3}, elements));

        assertEquals(1, file.size(0));
        assertEquals(2, file.size(1));
        assertEquals(3, file.size(2));
        assertArrayEquals(elements, file.elements());
    }

    @Property(tries = 100)
    void shouldReadGzippedAndPlainFilesAlike(@ForAll @Size(max = 3_000) final byte[] elements)
    {
        final byte[] bytes = Idx.bytes(0x0801, new int[]{elements.length}, elements);

        assertArrayEquals(elements, read(1, bytes).elements());
        assertArrayEquals(elements, read(1, Idx.gzip(bytes)).elements());
    }

    @Test
    void shouldReadMoreThanOneBuffer()
    {
        final byte[] bytes = Idx.images(3_000, 28, 28);

        final byte[] elements = read(3, bytes).elements();

        assertArrayEquals(Arrays.copyOfRange(bytes, 16, bytes.length), elements);
    }

    @Property(tries = 200)
    void shouldRejectTruncatedFile(
        @ForAll @IntRange(max = 107) final int length,
        @ForAll final boolean gzipped)
    {
        final byte[] whole = Idx.bytes(0x0801, new int[]{100}, new byte[100]);
        final byte[] cut = Arrays.copyOf(whole, length);

        final DataException e = refuse(1, gzipped ? Idx.gzip(cut) : cut);

        assertTrue(e.getMessage().contains("truncated"), e.getMessage());
    }

    @Test
    void shouldRejectTruncatedGzip()
    {
        final byte[] whole = Idx.gzip(Idx.images(100, 28, 28));

        assertTrue(refuse(3, Arrays.copyOf(whole, whole.length / 2)).getMessage().contains("truncated"));
    }

    @Property(tries = 300)
    void shouldRejectRandomBytesWithDataException(@ForAll @Size(max = 64) final byte[] bytes)
    {
        try
        {
            read(3, bytes);
        }
        catch (final DataException e)
        {
            assertTrue(e.getMessage().startsWith("file: "), e.getMessage());
        }
    }

    @Test
    void shouldPrintMagicOfForeignFile()
    {
        final DataException e = refuse(3, new byte[]{(byte)0x89, 'P', 'N', 'G', 13, 10});

        assertEquals("file: starts with 0x89504e47: not an IDX file, which must start with 0x00000803",
            e.getMessage());
    }

    @Test
    void shouldRejectTypesOtherThanUnsignedBytes()
    {
        final DataException e = refuse(1, Idx.bytes(0x0d01, new int[]{1}, new byte[4]));

        assertTrue(e.getMessage().contains("type 0x0d"), e.getMessage());
    }

    @Test
    void shouldRejectLabelsInPlaceOfImages()
    {
        final DataException e = refuse(3, Idx.labels(1, 2, 3));

        assertTrue(e.getMessage().contains("has 1 dimensions, must have 3"), e.getMessage());
    }

    @Test
    void shouldRejectTrailingData()
    {
        final DataException e = refuse(1, Idx.bytes(0x0801, new int[]{2}, new byte[3]));

        assertTrue(e.getMessage().contains("data follows the 2 bytes"), e.getMessage());
    }

    @Test
    void shouldRejectImpossibleSizes()
    {
        assertTrue(refuse(3, Idx.bytes(0x0803, new int[]{1 << 30, 28, 28}, new byte[0])).getMessage()
            .contains("[1073741824, 28, 28]"));
        assertTrue(refuse(3, Idx.bytes(0x0803, new int[]{Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE},
            new byte[0])).getMessage().contains("2^31"));
        assertTrue(refuse(1, Idx.bytes(0x0801, new int[]{-1}, new byte[0])).getMessage().contains("[-1]"));
    }

    @Test
    void shouldNotAllocateSizeOfWrongHeader()
    {
        // The header declares two billion elements, the file has none: rejected before memory is allocated.
        final DataException e = refuse(1, Idx.bytes(0x0801, new int[]{2_000_000_000}, new byte[0]));

        assertTrue(e.getMessage().contains("0 bytes of elements instead of 2000000000"), e.getMessage());
    }

    private static IdxFile read(final int dimensions, final byte[] bytes)
    {
        return IdxFile.read("file", dimensions, new ByteArrayInputStream(bytes));
    }

    private static DataException refuse(final int dimensions, final byte[] bytes)
    {
        return assertThrows(DataException.class, () -> read(dimensions, bytes));
    }
}
