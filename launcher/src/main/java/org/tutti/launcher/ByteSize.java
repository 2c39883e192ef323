/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import org.tutti.bootstrap.store.SizeFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A size with an optional unit, the value of an option: {@code 512}, {@code 4k}, {@code 64M}, {@code 1G}. Units are
 * powers of 1024.
 *
 * @param bytes the number of bytes, at least 0.
 */
public record ByteSize(long bytes)
{
    /** Converts option values to sizes. */
    public static final class Converter implements ITypeConverter<ByteSize>
    {
        /** Creates a converter, for picocli. */
        public Converter()
        {
        }

        @Override
        public ByteSize convert(final String value)
        {
            return of(value);
        }
    }

    /**
     * Reads a size.
     *
     * @param text an integer with an optional unit.
     * @return the size.
     * @throws TypeConversionException if the text is not a size, or too large.
     */
    public static ByteSize of(final String text)
    {
        final long bytes = SizeFormat.parse(text);
        if (bytes < 0)
        {
            throw new TypeConversionException("'" + text + "' is not a size: give a number such as 512, 4k, 64M or 1G");
        }
        if (bytes == Long.MAX_VALUE)
        {
            throw new TypeConversionException("'" + text + "' is too large: at most " + (Long.MAX_VALUE >> 40) + "T");
        }
        return new ByteSize(bytes);
    }

    /** Returns the size with the largest unit that leaves an integer, such as {@code 64M}. */
    @Override
    public String toString()
    {
        return SizeFormat.format(bytes);
    }
}
