/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes reports: a reader sees the old one or the new one, never half of one. */
final class ReportFiles
{
    private ReportFiles()
    {
    }

    /**
     * Writes {@code report.html}, {@code report.csv} and {@code report.json}.
     *
     * @param directory is made if it is not there.
     * @throws SuiteException if that cannot be done.
     */
    static void write(final Path directory, final SuiteReport report)
    {
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new SuiteException("cannot make " + directory + ": " + ex.getMessage(), ex);
        }
        replace(directory.resolve("report.json"), SuiteJson.write(report));
        replace(directory.resolve("report.csv"), SuiteCsv.write(report.cases()));
        replace(directory.resolve("report.html"), SuitePage.write(report));
    }

    /**
     * Writes a file, all of it at once.
     *
     * @throws SuiteException if that cannot be done.
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
