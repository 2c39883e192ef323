/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;

import java.lang.foreign.Arena;

/**
 * File system calls. Functions return their result, or a negative {@code errno}. Thread-safe; allocates nothing after a
 * thread's first call.
 */
public final class FileCalls
{
    public static final int O_RDWR_CREAT_EXCL = 0x2 | 0x40 | 0x80;
    public static final int O_RDWR_CREAT = 0x2 | 0x40;
    public static final int O_RDWR = 0x2;
    public static final int O_RDONLY = 0;
    public static final int LOCK_SH = 1;
    public static final int LOCK_EX = 2;
    public static final int LOCK_NB = 4;
    public static final int LOCK_UN = 8;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int FALLOC_FL_KEEP_SIZE_PUNCH_HOLE = 3;
    private static final int SEEK_END = 2;
    private static final int EINTR = 4;
    private static final int STATVFS_SIZE = 112;
    private static final int STATVFS_FRAGMENT = 8;
    private static final int STATVFS_BLOCKS = 16;
    private static final int STATVFS_AVAILABLE = 32;

    private static final NativeFunction OPEN = NativeFunction.intOfLibc("open");
    private static final NativeFunction CLOSE = NativeFunction.intOfLibc("close");
    private static final NativeFunction FTRUNCATE = NativeFunction.intOfLibc("ftruncate");
    private static final NativeFunction FALLOCATE = NativeFunction.intOfLibc("fallocate");
    private static final NativeFunction POSIX_FALLOCATE = NativeFunction.intOfLibc("posix_fallocate");
    private static final NativeFunction FSTATVFS = NativeFunction.intOfLibc("fstatvfs");
    private static final NativeFunction LSEEK = NativeFunction.longOfLibc("lseek");
    private static final NativeFunction FLOCK = NativeFunction.intOfLibc("flock");
    private static final NativeFunction PREAD = NativeFunction.longOfLibc("pread");

    private FileCalls()
    {
    }

    /** Functions that only some providers call, linked on demand. */
    private static final class Rare
    {
        static final NativeFunction FCNTL = NativeFunction.intOfLibc("fcntl");

        private Rare()
        {
        }
    }

    /**
     * Opens a file with mode 0600.
     *
     * @param path  path of the file.
     * @param flags one of the {@code O_} constants; close-on-exec is added.
     * @return a descriptor, or a negative errno.
     */
    public static int open(final String path, final int flags)
    {
        try (Arena arena = Arena.ofConfined())
        {
            return (int)NativeFunction.orErrno(OPEN.call(arena.allocateFrom(path).address(), flags | O_CLOEXEC, 0600));
        }
    }

    /**
     * Closes a descriptor.
     *
     * @param fd descriptor of a file, pidfd or eventfd.
     */
    public static void close(final int fd)
    {
        CLOSE.call(fd);
    }

    /**
     * Sets the length of a file.
     *
     * @param fd     file descriptor of the file.
     * @param length length in bytes.
     * @return 0, or a negative errno.
     */
    public static int truncate(final int fd, final long length)
    {
        return (int)NativeFunction.orErrno(FTRUNCATE.call(fd, length));
    }

    /**
     * Reserves the pages of a range, so that later access cannot fail.
     *
     * @param fd     file descriptor of the file.
     * @param offset offset of the range, in bytes.
     * @param length length of the range, in bytes.
     * @return 0, or a negative errno, in which case nothing is reserved.
     */
    public static int reserve(final int fd, final long offset, final long length)
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
     * Frees the pages of a range, which then reads as zeros.
     *
     * @param fd     file descriptor of the file.
     * @param offset offset of the range, in bytes.
     * @param length length of the range, in bytes.
     */
    public static void release(final int fd, final long offset, final long length)
    {
        FALLOCATE.call(fd, FALLOC_FL_KEEP_SIZE_PUNCH_HOLE, offset, length);
    }

    /**
     * The free space in a descriptor's file system.
     *
     * @param fd descriptor of any file in the file system.
     * @return size in bytes; {@link Long#MAX_VALUE} if unknown.
     */
    public static long availableBytes(final int fd)
    {
        return fileSystemBytes(fd, STATVFS_AVAILABLE);
    }

    /**
     * The size of a descriptor's file system.
     *
     * @param fd descriptor of any file in the file system.
     * @return size in bytes; {@link Long#MAX_VALUE} if unknown.
     */
    public static long totalBytes(final int fd)
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

    /**
     * The length of a file.
     *
     * @param fd file descriptor of the file.
     * @return length in bytes, or a negative errno.
     */
    public static long size(final int fd)
    {
        return NativeFunction.orErrno(LSEEK.call(fd, 0, SEEK_END));
    }

    /**
     * Locks or unlocks a file; the kernel unlocks it when the process exits.
     *
     * @param fd        file descriptor of the file.
     * @param operation a sum of the {@code LOCK_} constants.
     * @return 0, or a negative errno.
     */
    public static int flock(final int fd, final int operation)
    {
        return (int)NativeFunction.orErrno(FLOCK.call(fd, operation));
    }

    /**
     * Whether another descriptor holds a file's lock, that is, whether the file's owner is alive.
     *
     * @param fd file descriptor of the file.
     * @return false if the lock is free.
     */
    public static boolean isLocked(final int fd)
    {
        if (flock(fd, LOCK_SH | LOCK_NB) < 0)
        {
            return true;
        }
        flock(fd, LOCK_UN);
        return false;
    }

    /**
     * Makes a descriptor non-blocking.
     *
     * @param fd file descriptor of a file.
     * @return 0, or a negative errno.
     */
    public static int setNonBlocking(final int fd)
    {
        final long flags = Rare.FCNTL.call(fd, F_GETFL, 0);
        return flags < 0 || Rare.FCNTL.call(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -NativeFunction.errno() : 0;
    }

    /**
     * Reads a 4-byte number from a file.
     *
     * @param fd     file descriptor.
     * @param offset offset of the number, in bytes.
     * @return the number, or a negative errno; 0 beyond the end of the file.
     */
    public static int readInt(final int fd, final long offset)
    {
        final long value = Scratch.address();
        UnsafeApi.putInt(value, 0);
        return PREAD.call(fd, value, Integer.BYTES, offset) < 0 ? -NativeFunction.errno() : UnsafeApi.getInt(value);
    }
}
