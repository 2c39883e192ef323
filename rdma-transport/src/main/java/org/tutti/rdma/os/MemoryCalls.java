/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;

/**
 * System calls for memory mappings. Functions return their result, or a negative {@code errno}. Thread-safe; allocates
 * nothing after a thread's first call.
 */
public final class MemoryCalls
{
    /** Length of a huge page in bytes. */
    public static final long HUGE_PAGE = 2 << 20;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final int MS_ASYNC = 1;
    private static final int MREMAP_MAYMOVE_FIXED = 3;
    private static final int RLIMIT_MEMLOCK = 8;
    private static final int RLIMIT_SIZE = 16;
    private static final int NO_FILE = -1;
    private static final NativeFunction MMAP = NativeFunction.longOfLibc("mmap");
    private static final NativeFunction MUNMAP = NativeFunction.intOfLibc("munmap");

    private MemoryCalls()
    {
    }

    /** Functions that not all processes call, linked on demand. */
    private static final class Rare
    {
        static final NativeFunction MADVISE = NativeFunction.intOfLibc("madvise");
        static final NativeFunction MREMAP = NativeFunction.longOfLibc("mremap");
        static final NativeFunction MSYNC = NativeFunction.intOfLibc("msync");
        static final NativeFunction GETRLIMIT = NativeFunction.intOfLibc("getrlimit");

        private Rare()
        {
        }
    }

    /**
     * Maps a file from its start, shared, readable and writable.
     *
     * @param fd     descriptor of the file, which may be closed afterwards.
     * @param length length in bytes.
     * @return an address, or a negative errno.
     */
    public static long map(final int fd, final long length)
    {
        return map(fd, length, MAP_SHARED);
    }

    /**
     * Maps zeroed private memory.
     *
     * @param length length in bytes.
     * @return an address, or a negative errno.
     */
    public static long map(final long length)
    {
        return map(NO_FILE, length, MAP_PRIVATE_ANONYMOUS);
    }

    private static long map(final int fd, final long length, final int flags)
    {
        final long address = MMAP.call(0, length, PROT_READ_WRITE, flags, fd, 0);
        return address == -1 ? -NativeFunction.errno() : address;
    }

    /**
     * Unmaps a range.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     */
    public static void unmap(final long address, final long length)
    {
        MUNMAP.call(address, length);
    }

    /**
     * Unmaps a range except for parts of it.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     * @param kept    offset and length of each part, in bytes: whole pages, ascending, without overlap.
     */
    public static void unmapExcept(final long address, final long length, final long... kept)
    {
        long start = 0;
        for (int i = 0; i <= kept.length; i += 2)
        {
            final long end = i < kept.length ? kept[i] : length;
            if (start < end)
            {
                unmap(address + start, end - start);
            }
            start = i < kept.length ? end + kept[i + 1] : length;
        }
    }

    /**
     * Replaces pages by private memory with the same content. Threads can access them meanwhile; what they store may be
     * lost.
     *
     * @param address address of the first byte, a multiple of the page size.
     * @param length  length in bytes, a multiple of the page size.
     * @return 0, or a negative errno.
     */
    public static int makePrivate(final long address, final long length)
    {
        final long copy = map(length);
        if (copy < 0)
        {
            return (int)copy;
        }
        UnsafeApi.copyMemory(address, copy, length);
        if (Rare.MREMAP.call(copy, length, length, MREMAP_MAYMOVE_FIXED, address) == -1)
        {
            final int errno = NativeFunction.errno();
            unmap(copy, length);
            return -errno;
        }
        return 0;
    }

    /**
     * Maps zeroed private memory. Memory of at least {@link #HUGE_PAGE} bytes starts at a multiple of them, so that all
     * its pages can be huge, and advises the kernel to make them so: copies then miss the TLB less often.
     *
     * @param length length in bytes, a multiple of the page size, at most {@link Long#MAX_VALUE} - {@link #HUGE_PAGE}.
     * @return an address, or a negative errno.
     */
    public static long mapLarge(final long length)
    {
        if (length < HUGE_PAGE)
        {
            return map(length);
        }
        final long mapped = length + HUGE_PAGE;
        final long start = map(mapped);
        if (start < 0)
        {
            return start;
        }
        final long address = (start + HUGE_PAGE - 1) & -HUGE_PAGE;
        if (address > start)
        {
            unmap(start, address - start);
        }
        final long end = start + mapped;
        if (end > address + length)
        {
            unmap(address + length, end - (address + length));
        }
        Rare.MADVISE.call(address, length, MADV_HUGEPAGE);
        return address;
    }

    /**
     * Enters all pages of a range into the page tables with one system call, which takes a fraction of the time of a
     * page fault for each. Without an effect before Linux 5.14.
     *
     * @param address address of the first byte, a multiple of the page size.
     * @param length  length in bytes.
     */
    public static void populate(final long address, final long length)
    {
        Rare.MADVISE.call(address, length, MADV_POPULATE_WRITE);
    }

    /**
     * Whether a range of this process is fully mapped.
     *
     * @param address address of the first byte.
     * @param length  length in bytes, greater than 0.
     * @return false if any byte is not mapped.
     */
    public static boolean isMapped(final long address, final long length)
    {
        final long start = address & -UnsafeApi.pageSize();
        // With MS_ASYNC, msync only checks that the range is mapped.
        return Rare.MSYNC.call(start, address - start + length, MS_ASYNC) == 0 ||
            NativeFunction.errno() != Errno.ENOMEM;
    }

    /**
     * The limit of locked memory of this process.
     *
     * @return limit in bytes; a negative number for no limit.
     */
    public static long lockedMemoryLimit()
    {
        final long limits = UnsafeApi.allocateMemory(RLIMIT_SIZE);
        try
        {
            return Rare.GETRLIMIT.call(RLIMIT_MEMLOCK, limits) == 0 ? UnsafeApi.getLong(limits) : -1;
        }
        finally
        {
            UnsafeApi.freeMemory(limits);
        }
    }
}
