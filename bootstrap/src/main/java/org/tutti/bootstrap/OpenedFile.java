/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A file opened by {@code open(2)}, whose type, owner and mode can be checked: they are those of the file that is read,
 * even if another process replaces it meanwhile. Java does not tell the attributes of a file that it has opened. For
 * one thread.
 */
final class OpenedFile implements AutoCloseable
{
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle OPEN = LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("open"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
        Linker.Option.firstVariadicArg(2), Linker.Option.captureCallState("errno"));
    private static final MethodHandle CLOSE = LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int O_CLOEXEC = 02000000;
    /** A FIFO is opened at once. */
    private static final int O_NONBLOCK = 04000;
    private static final int O_NOFOLLOW = "aarch64".equals(System.getProperty("os.arch")) ? 0100000 : 0400000;

    private final int descriptor;

    private OpenedFile(final int descriptor)
    {
        this.descriptor = descriptor;
    }

    /**
     * Opens a file for reading.
     *
     * @param file         the path of the file.
     * @param followsLinks whether the file may be behind a symbolic link.
     * @throws NoSuchFileException if there is no such file.
     * @throws FileSystemException if it cannot be opened, or is a symbolic link that must not be followed.
     */
    static OpenedFile open(final Path file, final boolean followsLinks) throws FileSystemException
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment state = arena.allocate(STATE);
            final MemorySegment path = arena.allocateFrom(file.toString());
            final int opened =
                (int)OPEN.invokeExact(state, path, O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW));
            if (opened < 0)
            {
                throw failure(file, (int)ERRNO.get(state, 0L));
            }
            return new OpenedFile(opened);
        }
        catch (final FileSystemException | RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException("cannot call open", ex);
        }
    }

    private static FileSystemException failure(final Path file, final int errno)
    {
        return switch (errno)
        {
            case ENOENT -> new NoSuchFileException(file.toString());
            case EACCES -> new AccessDeniedException(file.toString());
            default -> new FileSystemException(file.toString(), null, "open failed with errno " + errno);
        };
    }

    /** Returns a path of the kernel's that leads to the opened file, even if the file was renamed or replaced. */
    private Path path()
    {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    /**
     * Returns attributes of the opened file.
     *
     * @param names the names of the attributes, such as {@code unix:uid,mode}.
     */
    Map<String, Object> attributes(final String names) throws IOException
    {
        return Files.readAttributes(path(), names);
    }

    /** Reads at most {@code length} bytes. */
    byte[] read(final int length) throws IOException
    {
        try (InputStream in = Files.newInputStream(path()))
        {
            return in.readNBytes(length);
        }
    }

    @Override
    public void close()
    {
        try
        {
            // Nothing was written that could be lost.
            final int ignored = (int)CLOSE.invokeExact(descriptor);
        }
        catch (final RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException("cannot call close", ex);
        }
    }
}
