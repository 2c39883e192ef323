/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.LocalJob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tries to open networks, and prints the error: a process, as a JVM loads the library once. */
final class LibraryTarget
{
    private static final String DIRECTORY = "java.io.tmpdir";

    private LibraryTarget()
    {
    }

    /**
     * Opens the networks of two ranks.
     *
     * @param args unused.
     */
    public static void main(final String[] args)
    {
        final String common = System.getProperty(DIRECTORY);
        Thread.ofPlatform().daemon().start(() -> createFileInOtherDirectory(common));
        try
        {
            LocalJob.run(2, communicator -> TuttiLightGbm.network(communicator).close());
            System.out.println(common.equals(System.getProperty(DIRECTORY)) ? "loaded" : "changed " + DIRECTORY);
        }
        catch (final LightGbmException ex)
        {
            System.out.println(ex.ranks() + " " + ex.getMessage());
        }
    }

    /** Does what a thread with a temporary file does while another one has changed the directory of these. */
    private static void createFileInOtherDirectory(final String common)
    {
        String directory = common;
        while (directory.equals(common))
        {
            Thread.onSpinWait();
            directory = System.getProperty(DIRECTORY);
        }
        try
        {
            Files.createFile(Path.of(directory, "temporary"));
        }
        catch (final IOException ex)
        {
            System.out.println("created no file: " + ex);
        }
    }
}
