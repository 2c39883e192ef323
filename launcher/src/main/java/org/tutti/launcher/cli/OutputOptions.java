/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.nio.file.Path;
import java.util.BitSet;

import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.JobSpec;

/** The options of {@code tutti run} for the output of ranks. */
final class OutputOptions
{
    private static final String TAG = "--tag";
    private static final String TIMESTAMP = "--timestamp";
    private static final String OUTPUT_DIR = "--output-dir";
    private static final String TEE = "--tee";
    private static final String SHOW = "--show";

    private OutputOptions()
    {
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .flag("Prefixes each line of output with the rank.", TAG)
            .flag("Prefixes each line of output with the time.", TIMESTAMP)
            .path("DIR", "Writes the output to DIR/rank-N.out and DIR/rank-N.err instead of the console. N has " +
                "leading zeros in jobs of more than 10 ranks; files of these names are replaced.", OUTPUT_DIR)
            .flag("With --output-dir, also prints the output on the console.", TEE)
            .text("RANKS", "Prints the output of these ranks only, such as 0 or 0,4-7; the files of --output-dir " +
                "contain that of all ranks.", SHOW);
    }

    /**
     * Reads the values of these options.
     *
     * @param options the options of the command.
     * @param size    the number of ranks of the job.
     * @return the target and format of the output.
     * @throws UsageException if the options are invalid or conflict with each other.
     */
    static JobSpec.Output read(final OptionBuilder options, final int size)
    {
        final Path directory = options.pathOf(OUTPUT_DIR);
        if (directory != null && directory.toFile().exists() && !directory.toFile().isDirectory())
        {
            throw new UsageException(OUTPUT_DIR + " '" + directory + "' is a file: give a directory");
        }
        if (options.has(TEE) && directory == null)
        {
            throw new UsageException(
                TEE + " needs " + OUTPUT_DIR + " DIR: without it, output goes to the console only");
        }
        final boolean isOnConsole = directory == null || options.has(TEE);
        final String list = options.valueOf(SHOW);
        if (list != null && !isOnConsole)
        {
            throw new UsageException(SHOW + " '" + list + "' has no effect with " + OUTPUT_DIR + " alone: add " + TEE);
        }
        final BitSet shown = list == null ? new BitSet() : RankSelection.parse(SHOW, list, size);
        if (list == null && isOnConsole)
        {
            shown.set(0, size);
        }
        return new JobSpec.Output(options.has(TAG), options.has(TIMESTAMP), directory, shown);
    }
}
