/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Files of the project, for tests that read sources and documents. */
final class Project
{
    static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    /** All files except build outputs. */
    static final List<Path> FILES = files();

    private Project()
    {
    }

    /** Java sources of all modules, without tests. */
    static List<Path> mainSources()
    {
        return files("([a-z-]+/){1,2}src/main/java/.*\\.java");
    }

    /** Files whose path relative to the root matches a regular expression. */
    static List<Path> files(final String pattern)
    {
        return FILES.stream().filter(file -> ROOT.relativize(file).toString().matches(pattern)).toList();
    }

    private static List<Path> files()
    {
        final List<Path> files = new ArrayList<>();
        try
        {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>()
            {
                @Override
                public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
                {
                    final String name = directory.getFileName().toString();
                    return name.equals("target") || name.equals(".git") ?
                        FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
                {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return files;
    }
}
