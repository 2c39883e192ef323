/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Checks that no other user has created a file or directory, or can read or replace it. In directories that all users
 * can write, such as {@code /dev/shm}, a name does not identify the creator.
 */
public final class PrivatePath
{
    private static final String ATTRIBUTES = "unix:uid,mode";
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR_FILE = 0100000;
    private static final int TYPE_MASK = 0170000;
    private static final int MODE_MASK = 0777;

    private PrivatePath()
    {
    }

    /**
     * Checks a directory, if it exists: not a symbolic link, owned by this user, mode 0700.
     *
     * @param path the path of the directory.
     * @return true if the directory exists.
     * @throws BootstrapException if the check fails; the message names the owner and mode.
     */
    public static boolean isDirectory(final Path path)
    {
        return check(path, DIRECTORY | 0700, "directory");
    }

    /**
     * Checks a file, if it exists: a regular file, owned by this user, mode 0600.
     *
     * @param path the path of the file.
     * @return true if the file exists.
     * @throws BootstrapException if the check fails; the message names the owner and mode.
     */
    public static boolean isFile(final Path path)
    {
        return check(path, REGULAR_FILE | 0600, "file");
    }

    /**
     * Reads a file, if it exists: a regular file, owned by this user, mode 0600. This is checked on the opened file, so
     * that no other file can take its place between the check and the reading.
     *
     * @param path   the path of the file, which must not be a symbolic link.
     * @param length the maximum number of bytes to read.
     * @return the first bytes of the file; null if it does not exist.
     * @throws BootstrapException if the check fails; the message names the owner and mode.
     * @throws IOException        if the file cannot be read.
     */
    public static byte[] readFile(final Path path, final int length) throws IOException
    {
        try (OpenedFile file = OpenedFile.open(path, false))
        {
            check(path, file.attributes(ATTRIBUTES), REGULAR_FILE | 0600, "file");
            return file.read(length);
        }
        catch (final NoSuchFileException ex)
        {
            return null;
        }
        catch (final FileSystemException ex)
        {
            // A link, or the file of another user: its attributes tell.
            isFile(path);
            throw ex;
        }
    }

    /**
     * Returns the user of this process.
     *
     * @return the uid.
     */
    public static int uid()
    {
        try
        {
            return (Integer)Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean check(final Path path, final int expected, final String kind)
    {
        final Map<String, Object> attributes;
        try
        {
            attributes = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot read the owner and mode of " + path + ": " + ex, ex);
        }
        check(path, attributes, expected, kind);
        return true;
    }

    private static void check(
        final Path path, final Map<String, Object> attributes, final int expected, final String kind)
    {
        if (!attributes.get("uid").equals(uid()) ||
            ((Integer)attributes.get("mode") & (TYPE_MASK | MODE_MASK)) != expected)
        {
            throw new BootstrapException(path + " is not trusted: it is " + describe(attributes) + ", not a " + kind +
                " of uid " + uid() + " with mode " + octal(expected) + ": remove it, or choose another job id or port");
        }
    }

    /** Describes a file by its type, owner and mode. */
    static String describe(final Path path) throws IOException
    {
        return describe(Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS));
    }

    /** Describes a file by its attributes: type, owner and mode. */
    static String describe(final Map<String, Object> attributes)
    {
        final int mode = (Integer)attributes.get("mode");
        return "a " + kind(mode) + " of uid " + attributes.get("uid") + " with mode " + octal(mode);
    }

    private static String kind(final int mode)
    {
        return switch (mode & TYPE_MASK)
        {
            case DIRECTORY -> "directory";
            case REGULAR_FILE -> "file";
            case 0120000 -> "symbolic link";
            default -> "special file";
        };
    }

    private static String octal(final int mode)
    {
        return "0" + Integer.toOctalString(mode & MODE_MASK);
    }
}
