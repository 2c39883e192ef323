/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;

/** What the provider needs of the C library. Thread-safe. */
final class Libc
{
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MS_ASYNC = 1;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int RLIMIT_MEMLOCK = 8;
    private static final long NO_FILE = -1;

    private static final SymbolLookup LOOKUP = Linker.nativeLinker().defaultLookup();
    private static final NativeFunction MMAP = NativeFunction.ofLong(LOOKUP, "mmap", 6);
    private static final NativeFunction MUNMAP = NativeFunction.ofInt(LOOKUP, "munmap", 2);
    private static final NativeFunction MADVISE = NativeFunction.ofInt(LOOKUP, "madvise", 3);
    private static final NativeFunction MSYNC = NativeFunction.ofInt(LOOKUP, "msync", 3);
    private static final NativeFunction FCNTL =
        NativeFunction.ofInt(LOOKUP, "fcntl", 3, Linker.Option.firstVariadicArg(2));
    private static final NativeFunction EVENTFD = NativeFunction.ofInt(LOOKUP, "eventfd", 2);
    private static final NativeFunction WRITE = NativeFunction.ofLong(LOOKUP, "write", 3);
    private static final NativeFunction CLOSE = NativeFunction.ofInt(LOOKUP, "close", 1);
    private static final NativeFunction GETRLIMIT = NativeFunction.ofInt(LOOKUP, "getrlimit", 2);

    private Libc()
    {
    }

    /**
     * Maps zeroed memory of this process.
     *
     * @param length in bytes.
     * @return an address, or a negative errno.
     */
    static long map(final long length)
    {
        final long address = MMAP.call(0, length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, NO_FILE, 0);
        return address == -1 ? -NativeFunction.errno() : address;
    }

    static void unmap(final long address, final long length)
    {
        MUNMAP.call(address, length);
    }

    /**
     * Asks for huge pages, which the kernel may or may not have.
     *
     * @param address of the first byte.
     * @param length  in bytes.
     */
    static void adviseHugePages(final long address, final long length)
    {
        MADVISE.call(address, length, MADV_HUGEPAGE);
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
        // With this flag the kernel looks at the mappings and does nothing else.
        return MSYNC.call(start, address - start + length, MS_ASYNC) == 0 || NativeFunction.errno() != Errno.ENOMEM;
    }

    /**
     * Makes reads of a descriptor return at once.
     *
     * @param fd of a file.
     * @return 0, or a negative errno.
     */
    static int setNonBlocking(final int fd)
    {
        final long flags = FCNTL.call(fd, F_GETFL, 0);
        return flags < 0 || FCNTL.call(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -NativeFunction.errno() : 0;
    }

    /**
     * How much memory this process may lock.
     *
     * @return in bytes; a negative number for no limit.
     */
    static long lockedMemoryLimit()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long limits = arena.allocate(16, 8).address();
            return GETRLIMIT.call(RLIMIT_MEMLOCK, limits) == 0 ? UnsafeApi.getLong(limits) : -1;
        }
    }

    static int eventDescriptor()
    {
        final int fd = (int)EVENTFD.call(0, O_CLOEXEC | O_NONBLOCK);
        return fd < 0 ? -NativeFunction.errno() : fd;
    }

    static void signalEvent(final int fd)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long one = arena.allocate(8, 8).address();
            UnsafeApi.putLong(one, 1);
            WRITE.call(fd, one, 8);
        }
    }

    static void close(final int fd)
    {
        CLOSE.call(fd);
    }
}
