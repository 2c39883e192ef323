/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Options for checkpoints of a training. */
public final class CheckpointOptions
{
    @Option(names = "--checkpoint", paramLabel = "FILE",
        description = "Writes the state of the training to this file after each epoch; if it exists, continues from " +
            "it. Rank 0 reads and writes it.")
    private Path file;

    @Option(names = "--checkpoint-every", paramLabel = "STEPS",
        description = "Writes the checkpoint after so many steps, and at the end (default: the steps of an epoch).")
    private Integer every;

    /** Required by picocli. */
    public CheckpointOptions()
    {
    }

    /**
     * Validates the options.
     *
     * @param spec command specification, for the error.
     */
    void check(final CommandSpec spec)
    {
        final String given = "--checkpoint-every=" + every;
        OptionRules.require(spec, every == null || every >= 1, given, "must be at least 1");
        OptionRules.require(spec, every == null || file != null, given, "needs --checkpoint FILE");
        OptionRules.require(
            spec, file == null || !file.toFile().isDirectory(), "--checkpoint=" + file, "must be a file");
    }

    /**
     * Path of the file.
     *
     * @return path, or null if there are no checkpoints.
     */
    Path file()
    {
        return file;
    }

    /**
     * Number of steps between two checkpoints.
     *
     * @param stepsPerEpoch steps of an epoch, the default.
     * @return number, at least 1.
     */
    int every(final int stepsPerEpoch)
    {
        return every == null ? stepsPerEpoch : every;
    }
}
