/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.RdmaVerbs;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;

import java.io.IOException;

/** A memory region. Thread-safe. */
final class DisniMemoryRegion implements MemoryRegion
{
    private final DisniProtectionDomain domain;
    private final IbvMr region;
    private final long address;
    private final long length;
    private final int access;
    private boolean isClosed;

    DisniMemoryRegion(
        final DisniProtectionDomain domain, final IbvMr region, final long address, final long length, final int access)
    {
        this.domain = domain;
        this.region = region;
        this.address = address;
        this.length = length;
        this.access = access;
    }

    @Override
    public ProtectionDomain protectionDomain()
    {
        return domain;
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
        return region.getLkey();
    }

    @Override
    public int rkey()
    {
        return region.getRkey();
    }

    @Override
    public int access()
    {
        return access;
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        try
        {
            RdmaVerbs.open().deregMr(region).execute().free();
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("ibv_dereg_mr", length + " bytes at 0x" + Long.toHexString(address), e);
        }
        isClosed = true;
        domain.remove(this);
    }
}
