/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks;

import org.tutti.bootstrap.store.SizeFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as people write them, as values of options. */
public final class ByteSize implements ITypeConverter<Long>
{
    /** For picocli. */
    public ByteSize()
    {
    }

    @Override
    public Long convert(final String value)
    {
        final long bytes = SizeFormat.parse(value);
        if (bytes < 0)
        {
            throw new TypeConversionException("'" + value + "' is not a size: write 512, 4k, 64M or 1G");
        }
        if (bytes == Long.MAX_VALUE)
        {
            throw new TypeConversionException(
                "'" + value + "' is too large: at most " + (Long.MAX_VALUE >> 40) + "T");
        }
        return bytes;
    }
}
