/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;

/** Prints rows in aligned columns. Stateless. */
final class Columns
{
    private Columns()
    {
    }

    /**
     * Prints rows.
     *
     * @param out     stream to print to.
     * @param indent  indentation of each line.
     * @param rows    rows of equal lengths.
     * @param numbers indices from 0 of the columns that are right-aligned.
     */
    static void print(final PrintWriter out, final String indent, final List<List<String>> rows, final int... numbers)
    {
        final int[] widths = new int[rows.getFirst().size()];
        rows.forEach(row ->
        {
            for (int i = 0; i < widths.length; i++)
            {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (final List<String> row : rows)
        {
            final StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < widths.length; i++)
            {
                final int column = i;
                final boolean isNumber = Arrays.stream(numbers).anyMatch(number -> number == column);
                final int padding = widths[i] - row.get(i).length();
                line.repeat(' ', isNumber ? padding : 0).append(row.get(i))
                    .repeat(' ', (isNumber ? 0 : padding) + (i == 0 ? 1 : 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
