/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaException;

import java.util.List;

/**
 * Registered memory: {@code struct ibv_mr}. The pages are pinned, unless they are brought in on demand. Processes that
 * Java starts do not disturb that: it forks none that goes on with this one's memory.
 */
final class VerbsMemoryRegion implements MemoryRegion
{
    private static final String VERB = "ibv_reg_mr";
    private static final int KNOWN_FLAGS = AccessFlags.ALL | AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND |
        AccessFlags.HUGE_PAGES | AccessFlags.RELAXED_ORDERING;
    /** What is a wish only: a kernel that does not know it ignores it, if the library is asked by another function. */
    private static final int OPTIONAL_FLAGS = AccessFlags.RELAXED_ORDERING;

    private final VerbsProtectionDomain protectionDomain;
    private final Parents parents;
    private final long handle;
    private final long address;
    private final long length;
    private final int access;
    private final int lkey;
    private final int rkey;
    private boolean isClosed;

    private VerbsMemoryRegion(final VerbsProtectionDomain protectionDomain, final Parents parents, final long handle,
        final long address, final long length, final int access)
    {
        this.protectionDomain = protectionDomain;
        this.parents = parents;
        this.handle = handle;
        this.address = address;
        this.length = length;
        this.access = access;
        lkey = UnsafeApi.getInt(handle + Layout.MR_LKEY);
        rkey = UnsafeApi.getInt(handle + Layout.MR_RKEY);
    }

    static VerbsMemoryRegion register(
        final VerbsProtectionDomain domain, final long address, final long length, final int access)
    {
        check(domain, address, length, access);
        final List<Children> memories = domain.context().memories().at(address, length);
        memories.add(domain.children());
        final Parents parents = Parents.retain(VERB, memories.toArray(new Children[0]));
        final long handle = call(domain.handle(), address, length, access);
        if (handle == 0)
        {
            final int errno = NativeFunction.errno();
            parents.release();
            throw failure(errno, domain, address, length, access);
        }
        return new VerbsMemoryRegion(domain, parents, handle, address, length, access);
    }

    /** As the header's macro chooses. */
    private static long call(final long domain, final long address, final long length, final int access)
    {
        if ((access & AccessFlags.ZERO_BASED) != 0)
        {
            // Drivers take the address that counting begins with, where few know the flag.
            return Libibverbs.REG_MR_IOVA2.call(domain, address, length, 0, access & ~AccessFlags.ZERO_BASED);
        }
        if ((access & OPTIONAL_FLAGS) == 0)
        {
            return Libibverbs.REG_MR.call(domain, address, length, access);
        }
        return Libibverbs.REG_MR_IOVA2.isPresent() ?
            Libibverbs.REG_MR_IOVA2.call(domain, address, length, address, access) :
            Libibverbs.REG_MR.call(domain, address, length, access & ~OPTIONAL_FLAGS);
    }

    private static void check(
        final VerbsProtectionDomain domain, final long address, final long length, final int access)
    {
        if (length <= 0 || address == 0)
        {
            throw Failures.invalid(VERB, range(address, length) + ": both must be more than 0");
        }
        if ((access & ~KNOWN_FLAGS) != 0)
        {
            throw Failures.invalid(VERB, "access 0x" + Integer.toHexString(access) +
                " has bits that are not AccessFlags");
        }
        final boolean isWritten = (access & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        if (isWritten && (access & AccessFlags.LOCAL_WRITE) == 0)
        {
            throw Failures.invalid(VERB, "access 0x" + Integer.toHexString(access) +
                " has REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE; add it");
        }
        if ((access & AccessFlags.ZERO_BASED) != 0)
        {
            checkZeroBased(address);
        }
        if ((access & AccessFlags.ON_DEMAND) != 0 && !domain.context().limits().onDemandPaging)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, VERB, domain.context().device() +
                " has no paging on demand; register without ON_DEMAND");
        }
    }

    private static void checkZeroBased(final long address)
    {
        if (!Libibverbs.REG_MR_IOVA2.isPresent())
        {
            throw new RdmaException(Errno.EOPNOTSUPP, VERB, "ZERO_BASED needs " + Libibverbs.FILE_NAME +
                " of rdma-core 28 or newer");
        }
        if (address % UnsafeApi.pageSize() != 0)
        {
            throw Failures.invalid(VERB, "ZERO_BASED memory has to begin at a page, not at 0x" +
                Long.toHexString(address));
        }
    }

    private static RdmaException failure(final int errno, final VerbsProtectionDomain domain, final long address,
        final long length, final int access)
    {
        // Kernels differ in what they say of memory that is not there.
        if (errno == Errno.EFAULT || address + length < 0 || !Libc.isMapped(address, length))
        {
            return new RdmaException(Errno.EFAULT, VERB, range(address, length) + " are not all mapped in this " +
                "process, or not writable; register native memory, as long as it is open");
        }
        final long limit = domain.context().limits().maxMemoryRegionLength;
        if (Long.compareUnsigned(length, limit) > 0)
        {
            return new RdmaException(errno, VERB, range(address, length) + ": a region of " +
                domain.context().device() + " has at most " + Long.toUnsignedString(limit) + " bytes");
        }
        return Failures.of(errno, VERB, "cannot register " + range(address, length) + " with access 0x" +
            Integer.toHexString(access));
    }

    private static String range(final long address, final long length)
    {
        return length + " bytes at 0x" + Long.toHexString(address);
    }

    @Override
    public ProtectionDomain protectionDomain()
    {
        return protectionDomain;
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

    @Override
    public int lkey()
    {
        return lkey;
    }

    @Override
    public int rkey()
    {
        return rkey;
    }

    @Override
    public int access()
    {
        return access;
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            Failures.check(Libibverbs.DEREG_MR.call(handle), "ibv_dereg_mr", range(address, length));
            isClosed = true;
            parents.release();
        }
    }
}
