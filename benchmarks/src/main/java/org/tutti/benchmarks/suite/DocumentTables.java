/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown document with tables made from saved runs. A comment before each table names the files of the runs,
 * relative to the document; another comment follows the table. With {@code -f}, the table omits rows whose size is less
 * than this multiple of the size in the row above:
 * <pre>
 * &lt;!-- tutti bench --from benchmarks/history/allreduce-2-ranks.csv -f 64 --&gt;
 * &lt;!-- end of tutti bench --&gt;
 * </pre>
 */
final class DocumentTables
{
    private static final Pattern TABLE = Pattern.compile(
        "(?ms)^(<!-- tutti bench --from ([^\\s>]+)(?: -f ([1-9][0-9]{0,9}))? -->)\n" +
        "(?:(?!<!-- tutti bench --from ).)*?^(<!-- end of tutti bench -->)$");

    private DocumentTables()
    {
    }

    /**
     * Computes the content of a document with renewed tables.
     *
     * @throws SuiteException if the document or a file that the document names cannot be read, or the document has no
     *                        such table.
     */
    static String of(final Path document)
    {
        final String text;
        try
        {
            text = Files.readString(document);
        }
        catch (final IOException ex)
        {
            throw new SuiteException("--renew=" + document + ": must be a readable file", ex);
        }
        final Matcher table = TABLE.matcher(text);
        final StringBuilder renewed = new StringBuilder();
        boolean isAny = false;
        while (table.find())
        {
            isAny = true;
            final List<CaseResult> results = new ArrayList<>();
            final long factor = table.group(3) == null ? 1 : Long.parseLong(table.group(3));
            for (final String file : table.group(2).split(",", -1))
            {
                SuiteCsv.read(document.toAbsolutePath().resolveSibling(file)).stream()
                    .map(result -> result.withRowsApart(factor)).forEach(results::add);
            }
            table.appendReplacement(renewed, Matcher.quoteReplacement(
                table.group(1) + "\n" + SuiteTable.markdown(results) + table.group(4)));
        }
        if (!isAny)
        {
            throw new SuiteException("--renew=" + document + ": has no table between " +
                "'<!-- tutti bench --from FILE[,FILE] [-f FACTOR] -->' and '<!-- end of tutti bench -->'");
        }
        return table.appendTail(renewed).toString();
    }
}
