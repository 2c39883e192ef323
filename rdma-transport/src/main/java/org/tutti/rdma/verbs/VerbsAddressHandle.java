/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.spi.Parents;
import org.tutti.rdma.spi.PathRules;

import java.lang.foreign.Arena;

/** A path for datagrams: {@code struct ibv_ah}. */
final class VerbsAddressHandle implements AddressHandle
{
    private static final String CREATE_AH = "ibv_create_ah";

    private final Parents parents;
    private final long handle;
    private boolean isClosed;

    private VerbsAddressHandle(final Parents parents, final long handle)
    {
        this.parents = parents;
        this.handle = handle;
    }

    static VerbsAddressHandle create(final VerbsProtectionDomain domain, final AddressHandleAttributes attributes)
    {
        final VerbsContext context = domain.context();
        PathRules.check(CREATE_AH, "ah_attr", attributes, context.limits().physicalPorts,
            (port) -> context.queryPort(port).gidTableLength);
        final Parents parents = Parents.retain(CREATE_AH, domain.children());
        try (Arena arena = Arena.ofConfined())
        {
            final long path = arena.allocate(Layout.AH_ATTR_SIZE, Long.BYTES).address();
            Structs.putPath(path, attributes);
            final long handle = Libibverbs.CREATE_AH.call(domain.handle(), path);
            if (handle == 0)
            {
                throw VerbsErrors.of(NativeFunction.errno(), CREATE_AH, Paths.describe(domain.context(), attributes));
            }
            return new VerbsAddressHandle(parents, handle);
        }
        catch (final RuntimeException ex)
        {
            parents.release();
            throw ex;
        }
    }

    @Override
    public long handle()
    {
        return handle;
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            final long result = Libibverbs.DESTROY_AH.call(handle);
            parents.release();
            VerbsErrors.check(result, "ibv_destroy_ah", "cannot free the address handle");
        }
    }
}
