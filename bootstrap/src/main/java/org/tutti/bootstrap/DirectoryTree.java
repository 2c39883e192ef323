/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Deletes directories with their contents. */
final class DirectoryTree
{
    private static final int DELETE_ROUNDS = 100;

    private DirectoryTree()
    {
    }

    /**
     * Deletes a directory with its contents. Other processes of the job may still be creating files: files that appear
     * in the meantime are removed in another round.
     */
    static void delete(final Path path)
    {
        for (int round = 1; ; round++)
        {
            try
            {
                deleteOnce(path);
                return;
            }
            catch (final DirectoryNotEmptyException ex)
            {
                if (round == DELETE_ROUNDS)
                {
                    throw new BootstrapException("cannot remove " + path + ": files keep appearing in it", ex);
                }
            }
            catch (final IOException ex)
            {
                throw new BootstrapException("cannot remove " + path + ": " + ex, ex);
            }
        }
    }

    private static void deleteOnce(final Path path) throws IOException
    {
        try
        {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
            {
                try (DirectoryStream<Path> children = Files.newDirectoryStream(path))
                {
                    for (final Path child : children)
                    {
                        deleteOnce(child);
                    }
                }
            }
            Files.deleteIfExists(path);
        }
        catch (final NoSuchFileException ex)
        {
            // Another process of the job has removed it.
        }
    }
}
