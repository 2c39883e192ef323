/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts processes as an unprivileged user without files. Requires root. */
final class OtherUser
{
    static final int UID = 65534;

    private final String classPath;

    /** Copies the class path to a directory that the user can read. */
    OtherUser(final Path directory)
    {
        assumeTrue(isPossible(), "skipped: needs root and setpriv, to start processes of another user");
        final List<String> entries = new ArrayList<>();
        try
        {
            open(directory);
            for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1))
            {
                final Path path = Path.of(entry);
                if (Files.isDirectory(path) || entry.contains("aeron") || entry.contains("agrona"))
                {
                    final Path copy = directory.resolve(entries.size() + "-" + path.getFileName());
                    copy(path, copy);
                    entries.add(copy.toString());
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        classPath = String.join(File.pathSeparator, entries);
    }

    private static boolean isPossible()
    {
        try
        {
            return new ProcessBuilder("setpriv", "--reuid", Integer.toString(UID), "--clear-groups", "true")
                .redirectErrorStream(true).start().waitFor() == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void open(final Path path) throws IOException
    {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        Files.walkFileTree(from, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path path, final BasicFileAttributes attributes)
                throws IOException
            {
                open(Files.createDirectories(to.resolve(from.relativize(path).toString())));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path path, final BasicFileAttributes attributes) throws IOException
            {
                open(Files.copy(path, path.equals(from) ? to : to.resolve(from.relativize(path).toString())));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    Process start(final Class<?> main, final Map<String, String> environment, final String... arguments)
    {
        return RankProcesses.start(
            List.of("setpriv", "--reuid", Integer.toString(UID), "--regid", Integer.toString(UID), "--clear-groups"),
            classPath, main, environment, arguments);
    }
}
