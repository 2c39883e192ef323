/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.tutti.launcher.Nearest;
import org.tutti.launcher.host.SpawnTools;
import org.tutti.launcher.io.UsageException;

/** Finds programs of the operating system as a shell does. Stateless. */
final class Executables
{
    private Executables()
    {
    }

    /**
     * Finds a program.
     *
     * @param name      a path, or a name on the PATH.
     * @param directory the working directory of the program, which a path is relative to; null for this process's own.
     * @return the path of the program.
     * @throws UsageException if there is none that can be executed.
     */
    static String find(final String name, final Path directory)
    {
        if (name.indexOf('/') >= 0)
        {
            final Path path = directory == null ? Path.of(name) : directory.resolve(name);
            if (!Files.exists(path))
            {
                throw new UsageException("there is no file '" + name + "' to run: give the path of a program");
            }
            if (Files.isDirectory(path))
            {
                throw new UsageException("'" + name + "' is a directory and cannot be run: give the path of a program");
            }
            if (!Files.isExecutable(path))
            {
                throw new UsageException("'" + name + "' is not executable: chmod +x it, or run it by its interpreter");
            }
            return name;
        }
        final String found = SpawnTools.find(name);
        if (found == null)
        {
            final List<String> jobs = Jobs.names();
            throw new UsageException("there is no job and no program on the PATH called '" + name + "': give " +
                (jobs.isEmpty() ? "" : "a job (" + String.join(", ", jobs) + "), ") +
                "a program, a jar, or a main class with -cp" + Nearest.hint(name, jobs));
        }
        return found;
    }
}
