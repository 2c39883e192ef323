/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes lightgbm4j load its native library from a directory of this process. By itself, it unpacks the library to a
 * file of a fixed name in {@code java.io.tmpdir} each time: it overwrites the file that other processes have loaded,
 * which ends them.
 */
final class LibraryLoader
{
    private static final String WRAPPER = "io.github.metarank.lightgbm4j.LGBMBooster";
    private static final String DIRECTORY_PROPERTY = "java.io.tmpdir";
    /** Environment variable of lightgbm4j: the directory of libraries to load in place of those of its jar. */
    private static final String OWN_DIRECTORY = "LIGHTGBM_NATIVE_LIB_PATH";
    private static final List<String> LIBRARIES =
        List.of(System.mapLibraryName("_lightgbm"), System.mapLibraryName("_lightgbm_swig"));
    private static final Object LOCK = new Object();

    private Throwable error;

    /**
     * Loads the library unless it is loaded.
     *
     * @return why it cannot be loaded, or {@link LibraryProblem#NONE}.
     */
    LibraryProblem load()
    {
        synchronized (LOCK)
        {
            try
            {
                Class.forName(WRAPPER, false, LibraryLoader.class.getClassLoader());
                loadFromOwnDirectory();
                return LibraryProblem.NONE;
            }
            catch (final ClassNotFoundException ex)
            {
                error = ex;
                return LibraryProblem.NO_JAR;
            }
            catch (final IOException | RuntimeException | LinkageError ex)
            {
                error = ex;
                final String message = ex.getMessage();
                return message != null && message.contains("libgomp") ? LibraryProblem.NO_LIBGOMP :
                    LibraryProblem.NO_LIBRARY;
            }
        }
    }

    /**
     * Returns the error that {@link #load} met.
     *
     * @return error, or null.
     */
    Throwable error()
    {
        return error;
    }

    private static void loadFromOwnDirectory() throws IOException
    {
        // Both classes that create temporary files read the property once, which must be before it is changed.
        final Path directory = Files.createTempDirectory("tutti-lightgbm-");
        Files.delete(File.createTempFile("tutti-lightgbm-", null).toPath());
        final String common = System.setProperty(DIRECTORY_PROPERTY, directory.toString());
        try
        {
            LGBMBooster.loadNative();
            if (!LGBMBooster.isNativeLoaded())
            {
                throw reason(directory);
            }
        }
        finally
        {
            System.setProperty(DIRECTORY_PROPERTY, common);
            remove(directory);
        }
    }

    /** Removes the libraries: the process keeps what it has loaded. */
    @SuppressWarnings("EmptyCatch")
    private static void remove(final Path directory) throws IOException
    {
        for (final String library : LIBRARIES)
        {
            Files.deleteIfExists(directory.resolve(library));
        }
        try
        {
            Files.delete(directory);
        }
        catch (final DirectoryNotEmptyException ex)
        {
            // Another thread has created a temporary file there, and may use it.
        }
    }

    /** Loads the libraries again for the error, which lightgbm4j has discarded. */
    private static UnsatisfiedLinkError reason(final Path unpacked)
    {
        final String own = System.getenv(OWN_DIRECTORY);
        final Path directory = own == null ? unpacked : Path.of(own);
        try
        {
            for (final String library : LIBRARIES)
            {
                System.load(directory.resolve(library).toAbsolutePath().toString());
            }
        }
        catch (final UnsatisfiedLinkError ex)
        {
            return ex;
        }
        return new UnsatisfiedLinkError("lightgbm4j cannot load its native library");
    }
}
