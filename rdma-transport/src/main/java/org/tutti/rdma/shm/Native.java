/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The system calls that the provider needs, through the foreign function API. Pointers travel as {@code long}: in the
 * ABIs of Linux they are passed alike. Functions return their result, or a negative {@code errno}. Thread-safe; after
 * a thread's first call, nothing is allocated.
 */
final class Native
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
    private static final int PR_SET_PTRACER = 0x59616d61;
    private static final int EINTR = 4;
    private static final int ENOMEM = 12;
    private static final int MS_ASYNC = 1;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int POLLIN = 1;
    private static final int STATVFS_SIZE = 112;
    private static final int STATVFS_FRAGMENT = 8;
    private static final int STATVFS_BLOCKS = 16;
    private static final int STATVFS_AVAILABLE = 32;
    private static final long SYS_FUTEX = futexNumber(System.getProperty("os.arch"));
    private static final long SYS_PIDFD_OPEN = 434;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final ThreadLocal<MemorySegment> STATE =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CALL_STATE));

    private static final MethodHandle OPEN = handle("open", 2, JAVA_INT, ValueLayout.ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = handle("close", 0, JAVA_INT, JAVA_INT);
    private static final MethodHandle FTRUNCATE = handle("ftruncate", 0, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle FALLOCATE =
        handle("fallocate", 0, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POSIX_FALLOCATE =
        handle("posix_fallocate", 0, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FSTATVFS = handle("fstatvfs", 0, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle LSEEK = handle("lseek", 0, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MMAP =
        handle("mmap", 0, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = handle("munmap", 0, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FLOCK = handle("flock", 0, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle GETUID = handle("getuid", 0, JAVA_INT);
    private static final MethodHandle SYSCALL = handle("syscall", 1, JAVA_LONG,
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Native()
    {
    }

    /** What only contexts with memory of users' own, or with peers in other processes, call: linked when needed. */
    private static final class Rare
    {
        static final MethodHandle PRCTL =
            handle("prctl", 1, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle READV = handle("process_vm_readv", 0, JAVA_LONG,
            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle WRITEV = handle("process_vm_writev", 0, JAVA_LONG,
            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle MSYNC = handle("msync", 0, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
        static final MethodHandle POLL = handle("poll", 0, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
        static final MethodHandle EVENTFD = handle("eventfd", 0, JAVA_INT, JAVA_INT, JAVA_INT);
        static final MethodHandle WRITE = handle("write", 0, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle PREAD =
            handle("pread", 0, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle READ = handle("read", 0, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
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
            final MemorySegment state = STATE.get();
            final int fd = (int)OPEN.invokeExact(state, name, flags | O_CLOEXEC, 0600);
            return fd < 0 ? -errno(state) : fd;
        }
        catch (final Throwable t)
        {
            throw failure("open", t);
        }
    }

    static void close(final int fd)
    {
        try
        {
            final int ignored = (int)CLOSE.invokeExact(STATE.get(), fd);
        }
        catch (final Throwable t)
        {
            throw failure("close", t);
        }
    }

    static int truncate(final int fd, final long length)
    {
        try
        {
            final MemorySegment state = STATE.get();
            return (int)FTRUNCATE.invokeExact(state, fd, length) < 0 ? -errno(state) : 0;
        }
        catch (final Throwable t)
        {
            throw failure("ftruncate", t);
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
                errno = (int)POSIX_FALLOCATE.invokeExact(STATE.get(), fd, offset, length);
            }
            while (errno == EINTR);
            return -errno;
        }
        catch (final Throwable t)
        {
            throw failure("posix_fallocate", t);
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
                (int)FALLOCATE.invokeExact(STATE.get(), fd, FALLOC_FL_KEEP_SIZE_PUNCH_HOLE, offset, length);
        }
        catch (final Throwable t)
        {
            throw failure("fallocate", t);
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
            if ((int)FSTATVFS.invokeExact(STATE.get(), fd, buffer) < 0)
            {
                return Long.MAX_VALUE;
            }
            final long fragment = UnsafeApi.getLong(buffer + STATVFS_FRAGMENT);
            final boolean isLimited = UnsafeApi.getLong(buffer + STATVFS_BLOCKS) != 0;
            return isLimited ? fragment * UnsafeApi.getLong(buffer + offset) : Long.MAX_VALUE;
        }
        catch (final Throwable t)
        {
            throw failure("fstatvfs", t);
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
            final MemorySegment state = STATE.get();
            final long size = (long)LSEEK.invokeExact(state, fd, 0L, 2);
            return size < 0 ? -errno(state) : size;
        }
        catch (final Throwable t)
        {
            throw failure("lseek", t);
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
            final MemorySegment state = STATE.get();
            final long address =
                (long)MMAP.invokeExact(state, 0L, length, PROT_READ_WRITE, MAP_SHARED, fd, 0L);
            return address == -1 ? -errno(state) : address;
        }
        catch (final Throwable t)
        {
            throw failure("mmap", t);
        }
    }

    static void unmap(final long address, final long length)
    {
        try
        {
            final int ignored = (int)MUNMAP.invokeExact(STATE.get(), address, length);
        }
        catch (final Throwable t)
        {
            throw failure("munmap", t);
        }
    }

    static int flock(final int fd, final int operation)
    {
        try
        {
            final MemorySegment state = STATE.get();
            return (int)FLOCK.invokeExact(state, fd, operation) < 0 ? -errno(state) : 0;
        }
        catch (final Throwable t)
        {
            throw failure("flock", t);
        }
    }

    static int userId()
    {
        try
        {
            return (int)GETUID.invokeExact(STATE.get());
        }
        catch (final Throwable t)
        {
            throw failure("getuid", t);
        }
    }

    /**
     * Sleeps while a word holds a value. May return early, for no reason.
     *
     * @param address   of the 4-byte word, in shared memory.
     * @param expected  the value that it sleeps on.
     * @param timeoutNs how long, in nanoseconds.
     */
    static void futexWait(final long address, final int expected, final long timeoutNs)
    {
        final MemorySegment state = STATE.get();
        final long timespec = Scratch.address();
        UnsafeApi.putLong(timespec, timeoutNs / 1_000_000_000L);
        UnsafeApi.putLong(timespec + 8, timeoutNs % 1_000_000_000L);
        try
        {
            final long ignored = (long)SYSCALL.invokeExact(
                state, SYS_FUTEX, address, (long)FUTEX_WAIT, (long)expected, timespec, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw failure("futex", t);
        }
    }

    static void futexWake(final long address)
    {
        try
        {
            final long ignored = (long)SYSCALL.invokeExact(
                STATE.get(), SYS_FUTEX, address, (long)FUTEX_WAKE, (long)Integer.MAX_VALUE, 0L, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw failure("futex", t);
        }
    }

    /**
     * Whether memory of this process is there, all of it.
     *
     * @param address of the first byte.
     * @param length  in bytes, more than 0.
     * @return false when a byte of it is not mapped.
     */
    static boolean isMapped(final long address, final long length)
    {
        final long start = address & -UnsafeApi.pageSize();
        try
        {
            // With this flag the kernel looks at the mappings and does nothing else.
            final MemorySegment state = STATE.get();
            return (int)Rare.MSYNC.invokeExact(state, start, address - start + length, MS_ASYNC) == 0 ||
                errno(state) != ENOMEM;
        }
        catch (final Throwable t)
        {
            throw failure("msync", t);
        }
    }

    /** Lets other processes of this user read and write this one's memory, where the Yama module would forbid it. */
    static void allowPeers()
    {
        try
        {
            final int ignored = (int)Rare.PRCTL.invokeExact(STATE.get(), PR_SET_PTRACER, -1L, 0L, 0L, 0L);
        }
        catch (final Throwable t)
        {
            throw failure("prctl", t);
        }
    }

    /**
     * Copies between this process and another.
     *
     * @param write         true towards the other process.
     * @param pid           of the other.
     * @param localAddress  here.
     * @param remoteAddress there.
     * @param length        in bytes.
     * @return how many bytes were copied, or a negative errno.
     */
    static long copyProcess(
        final boolean write, final int pid, final long localAddress, final long remoteAddress, final long length)
    {
        final MemorySegment state = STATE.get();
        final long vectors = Scratch.address();
        UnsafeApi.putLong(vectors, localAddress);
        UnsafeApi.putLong(vectors + 8, length);
        UnsafeApi.putLong(vectors + 16, remoteAddress);
        UnsafeApi.putLong(vectors + 24, length);
        try
        {
            final long copied = write ?
                (long)Rare.WRITEV.invokeExact(state, pid, vectors, 1L, vectors + 16, 1L, 0L) :
                (long)Rare.READV.invokeExact(state, pid, vectors, 1L, vectors + 16, 1L, 0L);
            return copied < 0 ? -errno(state) : copied;
        }
        catch (final Throwable t)
        {
            throw failure("process_vm", t);
        }
    }

    static int openProcess(final int pid)
    {
        try
        {
            final MemorySegment state = STATE.get();
            final long fd = (long)SYSCALL.invokeExact(state, SYS_PIDFD_OPEN, (long)pid, 0L, 0L, 0L, 0L, 0L);
            return fd < 0 ? -errno(state) : (int)fd;
        }
        catch (final Throwable t)
        {
            throw failure("pidfd_open", t);
        }
    }

    static int eventDescriptor()
    {
        try
        {
            final MemorySegment state = STATE.get();
            final int fd = (int)Rare.EVENTFD.invokeExact(state, 0, O_CLOEXEC);
            return fd < 0 ? -errno(state) : fd;
        }
        catch (final Throwable t)
        {
            throw failure("eventfd", t);
        }
    }

    static void signalEvent(final int fd)
    {
        final long value = Scratch.address();
        UnsafeApi.putLong(value, 1);
        try
        {
            final long ignored = (long)Rare.WRITE.invokeExact(STATE.get(), fd, value, 8L);
        }
        catch (final Throwable t)
        {
            throw failure("write", t);
        }
    }

    static void drainEvent(final int fd)
    {
        try
        {
            final long ignored = (long)Rare.READ.invokeExact(STATE.get(), fd, Scratch.address(), 8L);
        }
        catch (final Throwable t)
        {
            throw failure("read", t);
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
        final MemorySegment state = STATE.get();
        final long value = Scratch.address();
        UnsafeApi.putInt(value, 0);
        try
        {
            return (long)Rare.PREAD.invokeExact(state, fd, value, 4L, offset) < 0 ?
                -errno(state) : UnsafeApi.getInt(value);
        }
        catch (final Throwable t)
        {
            throw failure("pread", t);
        }
    }

    /**
     * Waits until descriptors are readable.
     *
     * @param pollSet   address of an array of {@code struct pollfd}, see {@link #putPollEntry}.
     * @param count     of entries.
     * @param timeoutMs how long, in milliseconds.
     * @return how many are ready, or a negative errno.
     */
    static int poll(final long pollSet, final int count, final int timeoutMs)
    {
        try
        {
            final MemorySegment state = STATE.get();
            final int ready = (int)Rare.POLL.invokeExact(state, pollSet, (long)count, timeoutMs);
            return ready < 0 ? -errno(state) : ready;
        }
        catch (final Throwable t)
        {
            throw failure("poll", t);
        }
    }

    /**
     * Whether a descriptor is readable: that of a process is, once it ended.
     *
     * @param fd of it; negative for none.
     * @return false for none.
     */
    static boolean isReadable(final int fd)
    {
        if (fd < 0)
        {
            return false;
        }
        final long pollSet = Scratch.address();
        putPollEntry(pollSet, 0, fd);
        return poll(pollSet, 1, 0) > 0;
    }

    static void putPollEntry(final long pollSet, final int index, final int fd)
    {
        UnsafeApi.putInt(pollSet + 8L * index, fd);
        UnsafeApi.putInt(pollSet + 8L * index + 4, POLLIN);
    }

    static boolean isReady(final long pollSet, final int index)
    {
        return UnsafeApi.getInt(pollSet + 8L * index + 4) >>> 16 != 0;
    }

    private static long futexNumber(final String architecture)
    {
        return switch (architecture)
        {
            case "amd64", "x86_64" -> 202;
            case "aarch64", "riscv64" -> 98;
            default -> throw new RdmaException(Errno.EOPNOTSUPP, "ibv_open_device", "shm does not know the system " +
                "calls of '" + architecture + "'; it knows amd64, aarch64 and riscv64");
        };
    }

    private static int errno(final MemorySegment state)
    {
        return state.get(JAVA_INT, 0);
    }

    private static RuntimeException failure(final String function, final Throwable cause)
    {
        return new IllegalStateException("cannot call " + function, cause);
    }

    private static MethodHandle handle(
        final String name, final int firstVariadic, final MemoryLayout result, final MemoryLayout... arguments)
    {
        final MemorySegment function = LINKER.defaultLookup().find(name).orElseThrow(() ->
            new RdmaException(Errno.EOPNOTSUPP, "ibv_open_device",
                "the C library has no '" + name + "'; shm needs Linux with glibc or musl"));
        final FunctionDescriptor descriptor = FunctionDescriptor.of(result, arguments);
        final Linker.Option state = Linker.Option.captureCallState("errno");
        return firstVariadic == 0 ?
            LINKER.downcallHandle(function, descriptor, state) :
            LINKER.downcallHandle(function, descriptor, state, Linker.Option.firstVariadicArg(firstVariadic));
    }

    /** A few bytes per thread for the structures that calls take by pointer. */
    private static final class Scratch
    {
        private static final ThreadLocal<MemorySegment> SCRATCH =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(32, 8));

        private Scratch()
        {
        }

        static long address()
        {
            return SCRATCH.get().address();
        }
    }
}
