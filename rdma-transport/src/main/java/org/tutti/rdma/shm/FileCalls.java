/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The system calls of files and of what is mapped of them. Functions return their result, or a negative {@code errno}.
 * Thread-safe; after a thread's first call, nothing is allocated.
 */
final class FileCalls
{
    static final int O_RDWR_CREAT_EXCL = 0x2 | 0x40 | 0x80;
    static final int O_RDWR_CREAT = 0x2 | 0x40;
    static final int O_RDWR = 0x2;
    static final int LOCK_SH = 1;
    static final int LOCK_EX = 2;
    static final int LOCK_NB = 4;
    static final int LOCK_UN = 8;

    private static final int O_CLOEXEC = 0x80000;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int FALLOC_FL_KEEP_SIZE_PUNCH_HOLE = 3;
    private static final int EINTR = 4;
    private static final int STATVFS_SIZE = 112;
    private static final int STATVFS_FRAGMENT = 8;
    private static final int STATVFS_BLOCKS = 16;
    private static final int STATVFS_AVAILABLE = 32;

    private static final MethodHandle OPEN =
        ForeignCalls.handle("open", 2, JAVA_INT, ValueLayout.ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = ForeignCalls.handle("close", 0, JAVA_INT, JAVA_INT);
    private static final MethodHandle FTRUNCATE = ForeignCalls.handle("ftruncate", 0, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle FALLOCATE =
        ForeignCalls.handle("fallocate", 0, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POSIX_FALLOCATE =
        ForeignCalls.handle("posix_fallocate", 0, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FSTATVFS = ForeignCalls.handle("fstatvfs", 0, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle LSEEK = ForeignCalls.handle("lseek", 0, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MMAP =
        ForeignCalls.handle("mmap", 0, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = ForeignCalls.handle("munmap", 0, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FLOCK = ForeignCalls.handle("flock", 0, JAVA_INT, JAVA_INT, JAVA_INT);

    private FileCalls()
    {
    }

    /** What only contexts with peers in other processes call: linked when needed. */
    private static final class Rare
    {
        static final MethodHandle PREAD =
            ForeignCalls.handle("pread", 0, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

        private Rare()
        {
        }
    }

    /**
     * Opens a file with mode 0600.
     *
     * @param path  of it.
     * @param flags one of the {@code O_} constants; close-on-exec is added.
     * @return a descriptor, or a negative errno.
     */
    static int open(final String path, final int flags)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment name = arena.allocateFrom(path);
            final MemorySegment state = ForeignCalls.state();
            final int fd = (int)OPEN.invokeExact(state, name, flags | O_CLOEXEC, 0600);
            return fd < 0 ? -ForeignCalls.errno(state) : fd;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("open", t);
        }
    }

    static void close(final int fd)
    {
        try
        {
            final int ignored = (int)CLOSE.invokeExact(ForeignCalls.state(), fd);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("close", t);
        }
    }

    static int truncate(final int fd, final long length)
    {
        try
        {
            final MemorySegment state = ForeignCalls.state();
            return (int)FTRUNCATE.invokeExact(state, fd, length) < 0 ? -ForeignCalls.errno(state) : 0;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("ftruncate", t);
        }
    }

    /**
     * Reserves the pages of a range, so that touching them cannot fail later.
     *
     * @param fd     of the file.
     * @param offset of the range, in bytes.
     * @param length of the range, in bytes.
     * @return 0, or a negative errno; then nothing is reserved.
     */
    static int reserve(final int fd, final long offset, final long length)
    {
        try
        {
            int errno;
            do
            {
                errno = (int)POSIX_FALLOCATE.invokeExact(ForeignCalls.state(), fd, offset, length);
            }
            while (errno == EINTR);
            return -errno;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("posix_fallocate", t);
        }
    }

    /**
     * Gives the pages of a range back; they read as zeroes then.
     *
     * @param fd     of the file.
     * @param offset of the range, in bytes.
     * @param length of the range, in bytes.
     */
    static void release(final int fd, final long offset, final long length)
    {
        try
        {
            final int ignored =
                (int)FALLOCATE.invokeExact(ForeignCalls.state(), fd, FALLOC_FL_KEEP_SIZE_PUNCH_HOLE, offset, length);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("fallocate", t);
        }
    }

    /**
     * The space left in a descriptor's file system.
     *
     * @param fd of any file in it.
     * @return in bytes; {@link Long#MAX_VALUE} when it cannot be told.
     */
    static long availableBytes(final int fd)
    {
        return fileSystemBytes(fd, STATVFS_AVAILABLE);
    }

    /**
     * The size of a descriptor's file system.
     *
     * @param fd of any file in it.
     * @return in bytes; {@link Long#MAX_VALUE} when it cannot be told.
     */
    static long totalBytes(final int fd)
    {
        return fileSystemBytes(fd, STATVFS_BLOCKS);
    }

    private static long fileSystemBytes(final int fd, final int offset)
    {
        final long buffer = UnsafeApi.allocateMemory(STATVFS_SIZE);
        try
        {
            if ((int)FSTATVFS.invokeExact(ForeignCalls.state(), fd, buffer) < 0)
            {
                return Long.MAX_VALUE;
            }
            final long fragment = UnsafeApi.getLong(buffer + STATVFS_FRAGMENT);
            final boolean isLimited = UnsafeApi.getLong(buffer + STATVFS_BLOCKS) != 0;
            return isLimited ? fragment * UnsafeApi.getLong(buffer + offset) : Long.MAX_VALUE;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("fstatvfs", t);
        }
        finally
        {
            UnsafeApi.freeMemory(buffer);
        }
    }

    static long size(final int fd)
    {
        try
        {
            final MemorySegment state = ForeignCalls.state();
            final long size = (long)LSEEK.invokeExact(state, fd, 0L, 2);
            return size < 0 ? -ForeignCalls.errno(state) : size;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("lseek", t);
        }
    }

    /**
     * Maps a file from its start, shared, for loads and stores.
     *
     * @param fd     of it; may be closed afterwards.
     * @param length in bytes.
     * @return an address, or a negative errno.
     */
    static long map(final int fd, final long length)
    {
        try
        {
            final MemorySegment state = ForeignCalls.state();
            final long address =
                (long)MMAP.invokeExact(state, 0L, length, PROT_READ_WRITE, MAP_SHARED, fd, 0L);
            return address == -1 ? -ForeignCalls.errno(state) : address;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("mmap", t);
        }
    }

    static void unmap(final long address, final long length)
    {
        try
        {
            final int ignored = (int)MUNMAP.invokeExact(ForeignCalls.state(), address, length);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("munmap", t);
        }
    }

    static int flock(final int fd, final int operation)
    {
        try
        {
            final MemorySegment state = ForeignCalls.state();
            return (int)FLOCK.invokeExact(state, fd, operation) < 0 ? -ForeignCalls.errno(state) : 0;
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("flock", t);
        }
    }

    /**
     * Reads one number of a file.
     *
     * @param fd     of it.
     * @param offset of the four bytes, in bytes.
     * @return the number, or a negative errno; 0 where the file ends before.
     */
    static int readInt(final int fd, final long offset)
    {
        final MemorySegment state = ForeignCalls.state();
        final long value = ForeignCalls.scratch();
        UnsafeApi.putInt(value, 0);
        try
        {
            return (long)Rare.PREAD.invokeExact(state, fd, value, 4L, offset) < 0 ?
                -ForeignCalls.errno(state) : UnsafeApi.getInt(value);
        }
        catch (final Throwable t)
        {
            throw ForeignCalls.failure("pread", t);
        }
    }
}
