/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.RuleScope;
import org.tutti.collectives.select.TuningTable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The output file of {@code tune}, as the launcher and rank 0 use it.
 *
 * @param path absolute path.
 */
record TuneFile(Path path)
{
    /** Resolves a name against the user's directory, which may differ from the working directory of ranks. */
    static TuneFile of(final Path name)
    {
        final String launch = System.getenv("TUTTI_LAUNCH_DIR");
        return new TuneFile((launch == null ? Path.of("") : Path.of(launch)).toAbsolutePath().resolve(name));
    }

    boolean canBeWritten()
    {
        try
        {
            final Path target = target();
            // A device or a pipe would be replaced by a file.
            return (!Files.exists(target) || Files.isRegularFile(target)) && target.getParent() != null &&
                Files.isWritable(target.getParent());
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    /** The file to replace: of a symbolic link, its target, so that the link remains. */
    private Path target() throws IOException
    {
        return Files.exists(path) ? path.toRealPath() : path;
    }

    /**
     * Reads the lines of the file except those for the given collectives on {@code size} ranks with a wire and a
     * placement, which are measured anew.
     *
     * @throws org.tutti.collectives.ConfigurationException if the file exists but is not a tuning table.
     */
    List<String> without(final List<Collective> collectives, final int size, final RuleScope scope)
    {
        return Files.exists(path) ? TuningTable.read(path).linesWithout(collectives, size, scope) : List.of();
    }

    /** Replaces the file atomically; on failure the old content remains. */
    void write(final List<String> kept, final List<String> measured) throws IOException
    {
        final List<String> lines = new ArrayList<>(kept);
        lines.addAll(measured);
        TuningTable.of(path.toString(), lines);
        final Path target = target();
        final Path next = target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try
        {
            Files.write(next, lines);
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
        }
        finally
        {
            Files.deleteIfExists(next);
        }
    }
}
