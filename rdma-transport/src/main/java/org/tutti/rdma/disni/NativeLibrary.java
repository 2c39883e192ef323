/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Finds DiSNI's native library. Stateless. */
final class NativeLibrary
{
    private NativeLibrary()
    {
    }

    /**
     * Finds a library that is not on {@code java.library.path}: copies the bundled one to a file that only this user
     * can read. {@link #remove} the file after loading.
     *
     * @param name        name of the library, as for {@link System#loadLibrary}.
     * @param libraryPath the {@code java.library.path}.
     * @return path of the copy, or null if the user provides the library in a directory of {@code libraryPath}.
     * @throws RdmaException if the library is neither there nor bundled; the message says what to install.
     */
    static Path find(final String name, final String libraryPath)
    {
        final String file = System.mapLibraryName(name);
        for (final String directory : libraryPath.split(File.pathSeparator, -1))
        {
            if (!directory.isEmpty() && Files.exists(Path.of(directory, file)))
            {
                return null;
            }
        }
        final String folder = platform() + "/";
        try (InputStream input = NativeLibrary.class.getResourceAsStream(folder + file))
        {
            if (input == null)
            {
                throw missing(file, folder);
            }
            return extract(input, name);
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.EACCES, "load_provider", "cannot copy " + file + " to " +
                System.getProperty("java.io.tmpdir") + ": " + e + "; set -Djava.io.tmpdir to a directory with free " +
                "space");
        }
    }

    private static Path extract(final InputStream input, final String name) throws IOException
    {
        final Path library = Files.createTempDirectory("tutti-" + name + "-").resolve(System.mapLibraryName(name));
        try
        {
            Files.copy(input, library);
        }
        catch (final IOException e)
        {
            remove(library);
            throw e;
        }
        return library;
    }

    /**
     * Removes the copy, which needs no name once it is mapped.
     *
     * @param library library from {@link #find}, or null.
     */
    static void remove(final Path library)
    {
        try
        {
            if (library != null)
            {
                Files.deleteIfExists(library);
                Files.delete(library.getParent());
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("cannot remove " + library, e);
        }
    }

    private static RdmaException missing(final String file, final String folder) throws IOException
    {
        String reason = "it is built for Linux only, not for " + folder.substring(0, folder.length() - 1);
        String fix = "build Tutti on this platform";
        try (InputStream note = NativeLibrary.class.getResourceAsStream(folder + "libdisni.missing"))
        {
            if (note != null)
            {
                final String what = new String(note.readAllBytes(), StandardCharsets.UTF_8).strip();
                reason = "the build of Tutti found no " + what.replace(" ", ", ");
                fix = "install gcc, libibverbs-dev and librdmacm-dev and build again";
            }
        }
        return new RdmaException(Errno.ENOENT, "load_provider", "DiSNI's native library " + file + " is missing: " +
            reason + "; " + fix + ", or set -Djava.library.path to a directory that contains one");
    }

    /** The platform name used by the build. */
    private static String platform()
    {
        final String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        final String architecture = System.getProperty("os.arch");
        return os + "-" + (architecture.equals("amd64") ? "x86_64" : architecture);
    }
}
