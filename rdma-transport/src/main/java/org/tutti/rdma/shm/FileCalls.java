/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

import java.lang.foreign.Arena;

/**
 * The system calls of files and of what is mapped of them. Functions return their result, or a negative {@code errno}.
 * Thread-safe; after a thread's first call, nothing is allocated.
 */
final class FileCalls
{
    static final int O_RDWR_CREAT_EXCL = 0x2 | 0x40 | 0x80;
    static final int O_RDWR_CREAT = 0x2 | 0x40;
    static final int O_RDWR = 0x2;
    static final int O_RDONLY = 0;
    static final int LOCK_SH = 1;
    static final int LOCK_EX = 2;
    static final int LOCK_NB = 4;
    static final int LOCK_UN = 8;

    private static final int O_CLOEXEC = 0x80000;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int FALLOC_FL_KEEP_SIZE_PUNCH_HOLE = 3;
    private static final int SEEK_END = 2;
    private static final int EINTR = 4;
    private static final int STATVFS_SIZE = 112;
    private static final int STATVFS_FRAGMENT = 8;
    private static final int STATVFS_BLOCKS = 16;
    private static final int STATVFS_AVAILABLE = 32;

    private static final SystemFunction OPEN = SystemFunction.of("open");
    private static final SystemFunction CLOSE = SystemFunction.of("close");
    private static final SystemFunction FTRUNCATE = SystemFunction.of("ftruncate");
    private static final SystemFunction FALLOCATE = SystemFunction.of("fallocate");
    private static final SystemFunction POSIX_FALLOCATE = SystemFunction.of("posix_fallocate");
    private static final SystemFunction FSTATVFS = SystemFunction.of("fstatvfs");
    private static final SystemFunction LSEEK = SystemFunction.of("lseek");
    private static final SystemFunction MMAP = SystemFunction.of("mmap");
    private static final SystemFunction MUNMAP = SystemFunction.of("munmap");
    private static final SystemFunction FLOCK = SystemFunction.of("flock");
    private static final SystemFunction PREAD = SystemFunction.of("pread");

    private FileCalls()
    {
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
            return SystemFunction.intOrErrno(OPEN.call(arena.allocateFrom(path).address(), flags | O_CLOEXEC, 0600));
        }
    }

    static void close(final int fd)
    {
        CLOSE.call(fd);
    }

    static int truncate(final int fd, final long length)
    {
        return SystemFunction.intOrErrno(FTRUNCATE.call(fd, length));
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
        int errno;
        do
        {
            errno = (int)POSIX_FALLOCATE.call(fd, offset, length);
        }
        while (errno == EINTR);
        return -errno;
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
        FALLOCATE.call(fd, FALLOC_FL_KEEP_SIZE_PUNCH_HOLE, offset, length);
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
            if ((int)FSTATVFS.call(fd, buffer) < 0)
            {
                return Long.MAX_VALUE;
            }
            final long fragment = UnsafeApi.getLong(buffer + STATVFS_FRAGMENT);
            final boolean isLimited = UnsafeApi.getLong(buffer + STATVFS_BLOCKS) != 0;
            return isLimited ? fragment * UnsafeApi.getLong(buffer + offset) : Long.MAX_VALUE;
        }
        finally
        {
            UnsafeApi.freeMemory(buffer);
        }
    }

    static long size(final int fd)
    {
        return SystemFunction.longOrErrno(LSEEK.call(fd, 0, SEEK_END));
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
        final long address = MMAP.call(0, length, PROT_READ_WRITE, MAP_SHARED, fd, 0);
        return address == -1 ? -ForeignCalls.errno() : address;
    }

    static void unmap(final long address, final long length)
    {
        MUNMAP.call(address, length);
    }

    static int flock(final int fd, final int operation)
    {
        return SystemFunction.intOrErrno(FLOCK.call(fd, operation));
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
        final long value = ForeignCalls.scratch();
        UnsafeApi.putInt(value, 0);
        return PREAD.call(fd, value, Integer.BYTES, offset) < 0 ? -ForeignCalls.errno() : UnsafeApi.getInt(value);
    }
}
