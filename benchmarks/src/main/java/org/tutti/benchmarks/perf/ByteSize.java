/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.Locale;

/** Sizes as people write them: {@code 64M}, {@code 1G}, {@code 4k}, {@code 512}; suffixes are powers of 1024. */
public final class ByteSize implements ITypeConverter<Long>
{
    private static final String SUFFIXES = "KMGT";

    /**
     * Reads a size.
     *
     * @param text digits, then perhaps K, M, G or T in either case, then perhaps B or iB.
     * @return bytes, from 0.
     * @throws IllegalArgumentException saying what is wrong with the text.
     */
    public static long parse(final String text)
    {
        final String upper = text.strip().toUpperCase(Locale.ROOT);
        int end = 0;
        while (end < upper.length() && upper.charAt(end) >= '0' && upper.charAt(end) <= '9')
        {
            end++;
        }
        final String unit = upper.substring(end).replaceFirst("^([KMGT]?)(I?B)$", "$1");
        final int power = unit.isEmpty() ? 0 : SUFFIXES.indexOf(unit) + 1;
        if (end == 0 || unit.length() > 1 || (!unit.isEmpty() && power == 0))
        {
            throw new IllegalArgumentException("'" + text + "' is not a size: write 512, 4k, 64M or 1G");
        }
        try
        {
            return Math.multiplyExact(Long.parseLong(upper.substring(0, end)), 1L << (10 * power));
        }
        catch (final NumberFormatException | ArithmeticException e)
        {
            throw new IllegalArgumentException(
                "'" + text + "' is too large: at most " + (Long.MAX_VALUE >> 40) + "T", e);
        }
    }

    @Override
    public Long convert(final String value)
    {
        try
        {
            return parse(value);
        }
        catch (final IllegalArgumentException e)
        {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
