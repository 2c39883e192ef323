/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import org.tutti.bootstrap.store.SizeFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A size as people write it, the value of an option of commands and jobs: {@code 512}, {@code 4k}, {@code 64M},
 * {@code 1G}, in powers of 1024.
 *
 * @param bytes number of bytes, from 0.
 */
public record ByteSize(long bytes)
{
    /** Makes sizes of the values of options. */
    public static final class Converter implements ITypeConverter<ByteSize>
    {
        /** For picocli. */
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
     * @param text a whole number, perhaps with a unit.
     * @return the size.
     * @throws TypeConversionException if it is none, or too large.
     */
    public static ByteSize of(final String text)
    {
        final long bytes = SizeFormat.parse(text);
        if (bytes < 0)
        {
            throw new TypeConversionException("'" + text + "' is not a size: write 512, 4k, 64M or 1G");
        }
        if (bytes == Long.MAX_VALUE)
        {
            throw new TypeConversionException("'" + text + "' is too large: at most " + (Long.MAX_VALUE >> 40) + "T");
        }
        return new ByteSize(bytes);
    }

    /** As it is read, with the largest unit that leaves a whole number, such as {@code 64M}. */
    @Override
    public String toString()
    {
        return SizeFormat.format(bytes);
    }
}
