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
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;
import org.tutti.rdma.spi.RegistrationRules;

import java.util.List;

/**
 * Registered memory: {@code struct ibv_mr}. The pages are pinned unless paged on demand. Child processes are safe,
 * because Java never forks a process that continues to use this one's memory.
 */
final class VerbsMemoryRegion implements MemoryRegion
{
    private static final String VERB = "ibv_reg_mr";
    /** Hints: {@code ibv_reg_mr_iova2}, unlike {@code ibv_reg_mr}, drops them if the kernel does not support them. */
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
        RegistrationRules.check(address, length, access, lacking(domain.context()), domain.context().device().name());
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

    /** The flags that the device or the library does not support. */
    private static int lacking(final VerbsContext context)
    {
        return (context.limits().onDemandPaging ? 0 : AccessFlags.ON_DEMAND) |
            (Libibverbs.REG_MR_IOVA2.isPresent() ? 0 : AccessFlags.ZERO_BASED);
    }

    /** Chooses the function as the macro in {@code verbs.h} does. */
    private static long call(final long domain, final long address, final long length, final int access)
    {
        if ((access & AccessFlags.ZERO_BASED) != 0)
        {
            // Drivers accept base address 0 as an argument; few support the flag for it.
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

    private static RdmaException failure(final int errno, final VerbsProtectionDomain domain, final long address,
        final long length, final int access)
    {
        // Kernels return different errors for unmapped memory.
        if (errno == Errno.EFAULT || address + length < 0 || !MemoryCalls.isMapped(address, length))
        {
            return new RdmaException(Errno.EFAULT, VERB, range(address, length) + " are not all mapped in this " +
                "process, or not writable; register native memory while its arena is open");
        }
        final long limit = domain.context().limits().maxMemoryRegionLength;
        if (Long.compareUnsigned(length, limit) > 0)
        {
            return new RdmaException(errno, VERB, range(address, length) + ": a region of " +
                domain.context().device() + " has at most " + Long.toUnsignedString(limit) + " bytes");
        }
        return VerbsErrors.of(errno, VERB, "cannot register " + range(address, length) + " with access 0x" +
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
            VerbsErrors.check(Libibverbs.DEREG_MR.call(handle), "ibv_dereg_mr", range(address, length));
            isClosed = true;
            parents.release();
        }
    }
}
