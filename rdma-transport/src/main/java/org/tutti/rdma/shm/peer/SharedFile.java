/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.os.MemoryLimits;
import org.tutti.rdma.soft.segment.ControlMemory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file mapped by several processes. Its pages are reserved before they are accessed, so that a full file system
 * causes an error here and not a SIGBUS later. The code that creates or opens an instance closes it. Thread-safe.
 */
public final class SharedFile implements ControlMemory
{
    private static final long PAGE = 4096;
    private static final int NONE = -1;
    private static final long MEBIBYTE = 1L << 20;
    private static final long CHECK_MEMORY_FROM = 64L << 20;
    /** Length above which files are populated: that of the first file of most ranks. */
    private static final long POPULATED = 16L << 20;

    private final Path path;
    private int fd;
    private final long address;
    private final long length;
    private boolean isClosed;

    private SharedFile(final Path path, final int fd, final long address, final long length)
    {
        this.path = path;
        this.fd = fd;
        this.address = address;
        this.length = length;
    }

    /**
     * Creates and maps a file.
     *
     * @param path     path, which must not exist.
     * @param length   length in bytes.
     * @param reserved number of bytes to reserve now, from the start; {@link #reserve} the others before use.
     * @param verb     verb named in errors.
     * @return the file, locked so that other processes can determine whether its owner is alive.
     */
    public static SharedFile create(final Path path, final long length, final long reserved, final String verb)
    {
        final int fd = FileCalls.open(path.toString(), FileCalls.O_RDWR_CREAT_EXCL);
        if (fd < 0)
        {
            throw new RdmaException(-fd, verb, "cannot create " + path + fix(-fd));
        }
        try
        {
            final int locked = FileCalls.flock(fd, FileCalls.LOCK_EX | FileCalls.LOCK_NB);
            // The length is set last: a process that finds the full length can access the reserved pages.
            reserve(path, fd, 0, reserved, verb);
            final int truncated = FileCalls.truncate(fd, length);
            if (locked < 0 || truncated < 0)
            {
                final int errno = -Math.min(locked, truncated);
                throw new RdmaException(errno, verb,
                    "cannot create " + path + " with " + length + " bytes" + fix(errno));
            }
            final long address = MemoryCalls.map(fd, length);
            if (address < 0 && address > -PAGE)
            {
                throw new RdmaException((int)-address, verb, "cannot map " + length + " bytes of " + path +
                    fix((int)-address));
            }
            return new SharedFile(path, fd, address, length);
        }
        catch (final RuntimeException e)
        {
            delete(path);
            FileCalls.close(fd);
            throw e;
        }
    }

    /**
     * Maps the file of another process and keeps it open, to check whether the owner is alive.
     *
     * @param path path of the file.
     * @return the mapping, or null if the file does not exist any more or cannot be mapped.
     */
    public static SharedFile open(final Path path)
    {
        final int fd = FileCalls.open(path.toString(), FileCalls.O_RDWR);
        if (fd < 0)
        {
            return null;
        }
        final long length = FileCalls.size(fd);
        final long address = length <= 0 ? -1 : MemoryCalls.map(fd, length);
        if (address < 0 && address > -PAGE)
        {
            FileCalls.close(fd);
            return null;
        }
        return new SharedFile(path, fd, address, length);
    }

    /**
     * Makes the first access to each page of a long file cheap. Shorter files are mostly used in part, and each rank
     * maps those of all others. All pages must be reserved.
     */
    public void populateIfLong()
    {
        if (length > POPULATED)
        {
            MemoryCalls.populate(address, length);
        }
    }

    /** Closes the descriptor and keeps the mapping, for files that may be numerous. */
    public synchronized void closeDescriptor()
    {
        FileCalls.close(fd);
        fd = NONE;
    }

    /**
     * Whether the file still has a name.
     *
     * @return false once the name was removed: by the creator, or by another process after the creator died.
     */
    public boolean exists()
    {
        return Files.exists(path);
    }

    @Override
    public long address()
    {
        return address;
    }

    @Override
    public long length()
    {
        return length;
    }

    /**
     * Whether the process that created the file still has it open.
     *
     * @return false, permanently, once that process has closed the file or exited.
     */
    public boolean isOwnerAlive()
    {
        return FileCalls.isLocked(fd);
    }

    @Override
    public void reserve(final long offset, final long bytes, final String verb)
    {
        reserve(path, fd, offset, bytes, verb);
    }

    @Override
    public void release(final long offset, final long bytes)
    {
        FileCalls.release(fd, offset, bytes);
    }

    /**
     * Removes the name and frees the pages, even if peers still map the file.
     *
     * @param kept offset and length of each part that stays mapped, as it is not of this file any more.
     */
    public void destroy(final long... kept)
    {
        delete(path);
        release(0, length);
        closeExcept(kept);
    }

    @Override
    public void close()
    {
        closeExcept();
    }

    private synchronized void closeExcept(final long... kept)
    {
        if (!isClosed)
        {
            isClosed = true;
            MemoryCalls.unmapExcept(address, length, kept);
            if (fd != NONE)
            {
                FileCalls.close(fd);
            }
        }
    }

    /**
     * Removes a name if it exists; ignores failures.
     *
     * @param path path of the file or directory.
     */
    public static void delete(final Path path)
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ignored)
        {
            // The next context that opens in this directory removes what is left.
        }
    }

    /**
     * Reserves pages; the error names the exhausted resource.
     *
     * @param path   path of the file, for the error.
     * @param fd     file descriptor.
     * @param offset offset of the range, in bytes.
     * @param bytes  length of the range in bytes.
     * @param verb   verb named in errors.
     */
    public static void reserve(final Path path, final int fd, final long offset, final long bytes, final String verb)
    {
        final long available = FileCalls.availableBytes(fd);
        if (bytes >= CHECK_MEMORY_FROM && bytes <= available)
        {
            MemoryLimits.ACTUAL.check(bytes, verb);
        }
        final int errno = bytes > available ? Errno.ENOSPC : -FileCalls.reserve(fd, offset, bytes);
        if (errno == Errno.ENOSPC)
        {
            final long missing = bytes > available ? bytes - available : bytes;
            final long total = FileCalls.totalBytes(fd);
            final long enough = (total + missing + MEBIBYTE - 1) / MEBIBYTE;
            final Path mount = mountPoint(path.toAbsolutePath().getParent());
            throw new RdmaException(Errno.ENOMEM, verb, bytes + " bytes of shared memory requested, but only " +
                available + " of " + total + " bytes of " + mount + " are free (" + (total - available) + " used, " +
                missing + " missing); enlarge it (mount -o remount,size=" + enough + "M " + mount +
                ", docker run --shm-size=" + enough + "m, or in Kubernetes an emptyDir with medium: Memory and " +
                "sizeLimit: " + enough + "Mi), or use smaller buffers");
        }
        if (errno != 0)
        {
            throw new RdmaException(errno, verb, "cannot reserve " + bytes + " bytes of " + path + fix(errno));
        }
    }

    /**
     * The fix for an error of the operating system.
     *
     * @param errno errno of the failed call.
     * @return text to append to a message; empty if no fix is known.
     */
    public static String fix(final int errno)
    {
        return switch (errno)
        {
            case Errno.EMFILE -> "; this process has too many open files: raise the limit (ulimit -n)";
            case Errno.ENFILE -> "; the host has too many open files: raise the limit (sysctl fs.file-max)";
            case Errno.ENOMEM -> "; this process has too many mappings: raise the limit " +
                "(sysctl vm.max_map_count, ulimit -v)";
            case Errno.EFBIG -> "; the file exceeds the size limit: raise the limit (ulimit -f)";
            case Errno.ENOSPC -> "; the file system is full: free space or enlarge it";
            case Errno.ENOENT -> "; the directory was removed while in use";
            default -> "";
        };
    }

    private static Path mountPoint(final Path directory)
    {
        try
        {
            Path mount = directory;
            final Object device = Files.getAttribute(directory, "unix:dev");
            while (mount.getParent() != null && Files.getAttribute(mount.getParent(), "unix:dev").equals(device))
            {
                mount = mount.getParent();
            }
            return mount;
        }
        catch (final IOException ignored)
        {
            return directory;
        }
    }
}
