/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.Locale;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Lengths as people write them: {@code 512}, {@code 4k}, {@code 64M}, {@code 1G}; units are powers of 1024. */
final class ByteCount implements ITypeConverter<Long>
{
    private static final String UNITS = "KMGT";

    @Override
    public Long convert(final String text)
    {
        final String upper = text.strip().toUpperCase(Locale.ROOT);
        final int unit = upper.isEmpty() ? -1 : UNITS.indexOf(upper.charAt(upper.length() - 1));
        final String digits = unit < 0 ? upper : upper.substring(0, upper.length() - 1);
        if (!digits.matches("[0-9]{1,15}"))
        {
            throw new TypeConversionException("'" + text + "' is not a size: write 512, 4k, 64M or 1G");
        }
        final long number = Long.parseLong(digits);
        final int shift = 10 * (unit + 1);
        if (number > Long.MAX_VALUE >> shift)
        {
            throw new TypeConversionException("'" + text + "' is too large: at most " + (Long.MAX_VALUE >> 40) + "T");
        }
        return number << shift;
    }

    /** A length as short as it can be said exactly, such as {@code 64K}, or {@code 1000}. */
    static String text(final long bytes)
    {
        long number = bytes;
        int unit = -1;
        while (number != 0 && number % 1024 == 0 && unit < UNITS.length() - 1)
        {
            number /= 1024;
            unit++;
        }
        return number + (unit < 0 ? "" : UNITS.substring(unit, unit + 1));
    }
}
