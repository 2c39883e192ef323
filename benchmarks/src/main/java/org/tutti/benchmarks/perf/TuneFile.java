/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.TuningTable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The file into which {@code tune} writes: for one rank, or the launcher.
 *
 * @param path not relative.
 */
record TuneFile(Path path)
{
    /** A file whose name is relative to where the user is, which need not be where ranks work. */
    static TuneFile of(final Path name)
    {
        final String launched = System.getenv("TUTTI_LAUNCH_DIR");
        return new TuneFile((launched == null ? Path.of("") : Path.of(launched)).toAbsolutePath().resolve(name));
    }

    boolean canBeWritten()
    {
        try
        {
            final Path target = target();
            return !Files.isDirectory(target) && target.getParent() != null && Files.isWritable(target.getParent());
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    /** Where a link leads to is replaced, not the link. */
    private Path target() throws IOException
    {
        return Files.exists(path) ? path.toRealPath() : path;
    }

    /**
     * What it says of other calls than those that are measured.
     *
     * @throws org.tutti.collectives.ConfigurationException if it is there, but is no table.
     */
    List<String> without(final List<Collective> collectives, final int size)
    {
        return Files.exists(path) ? TuningTable.read(path).linesWithout(collectives, size) : List.of();
    }

    /** Writes the whole file, or, if that fails, leaves what was there. */
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
