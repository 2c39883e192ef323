/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.tutti.launcher.Suggestion;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.UsageException;

/** Finds programs as a shell does. Stateless. */
final class Executables
{
    private Executables()
    {
    }

    /**
     * Finds a program.
     *
     * @param name      a path, or a name on the PATH.
     * @param directory the working directory of the program, to which a path is relative; null for that of this
     *                  process.
     * @return the path of the program.
     * @throws UsageException if there is no such program, or it is not executable.
     */
    static String find(final String name, final Path directory)
    {
        if (name.indexOf('/') >= 0)
        {
            final Path path = directory == null ? Path.of(name) : directory.resolve(name);
            if (!Files.exists(path))
            {
                throw new UsageException("no such file '" + name + "': give the path of a program");
            }
            if (Files.isDirectory(path))
            {
                throw new UsageException("'" + name + "' is a directory: give the path of a program");
            }
            if (!Files.isExecutable(path))
            {
                throw new UsageException(
                    "'" + name + "' is not executable: run chmod +x on it, or run it by its interpreter");
            }
            return name;
        }
        final String found = SpawnPrefix.find(name);
        if (found == null)
        {
            final List<String> jobs = Jobs.names();
            throw new UsageException("no job and no program on the PATH is named '" + name + "': give " +
                (jobs.isEmpty() ? "" : "a job (" + String.join(", ", jobs) + "), ") +
                "a program, a jar, or a main class with -cp" + Suggestion.hint(name, jobs));
        }
        return found;
    }
}
