/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes reports atomically: a reader sees the old or the new content, never a part. */
final class ReportFiles
{
    private ReportFiles()
    {
    }

    /**
     * Writes {@code report.html}, {@code report.csv} and {@code report.json}.
     *
     * @param directory directory of the reports, created if missing.
     * @throws SuiteException if a report cannot be written.
     */
    static void write(final Path directory, final SuiteReport report)
    {
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new SuiteException("cannot create " + directory + ": " + ex.getMessage(), ex);
        }
        replace(directory.resolve("report.json"), SuiteJson.write(report));
        replace(directory.resolve("report.csv"), SuiteCsv.write(report.cases()));
        replace(directory.resolve("report.html"), SuitePage.write(report));
    }

    /**
     * Replaces a file atomically.
     *
     * @throws SuiteException if the file cannot be written.
     */
    static void replace(final Path file, final String text)
    {
        final Path written = file.resolveSibling(file.getFileName() + ".new");
        try
        {
            Files.writeString(written, text);
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException ex)
        {
            throw new SuiteException("cannot write " + file + ": " + ex.getMessage(), ex);
        }
    }
}
