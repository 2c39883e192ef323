/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** Checks the arguments of memory registration. Stateless. */
public final class RegistrationRules
{
    private static final String VERB = "ibv_reg_mr";
    private static final int WRITTEN_BY_PEERS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    private static final int KNOWN = AccessFlags.ALL | AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND |
        AccessFlags.HUGE_PAGES | AccessFlags.RELAXED_ORDERING;

    private RegistrationRules()
    {
    }

    /**
     * Rejects ranges and access flags that are invalid or that this provider or device does not support.
     *
     * @param address  address of the first byte.
     * @param length   length in bytes.
     * @param access   {@link AccessFlags}.
     * @param lacking  flags that the provider or the device does not support.
     * @param provider name of the provider, for messages.
     * @throws RdmaException with EINVAL if the arguments are invalid, with EOPNOTSUPP if a flag is not supported.
     */
    public static void check(
        final long address, final long length, final int access, final int lacking, final String provider)
    {
        if (length <= 0 || address == 0)
        {
            throw invalid(length + " bytes at 0x" + Long.toHexString(address) + ": both must be greater than 0");
        }
        if ((access & ~KNOWN) != 0)
        {
            throw invalid(text(access) + " has bits that are not AccessFlags");
        }
        if ((access & WRITTEN_BY_PEERS) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0)
        {
            throw invalid(text(access) + " has REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE; add it");
        }
        if ((access & lacking & AccessFlags.ON_DEMAND) != 0)
        {
            throw unsupported(provider + " does not support on-demand paging; register without ON_DEMAND");
        }
        if ((access & lacking & AccessFlags.ZERO_BASED) != 0)
        {
            throw unsupported(provider + " does not support zero-based addresses; register without ZERO_BASED");
        }
        if ((access & AccessFlags.ZERO_BASED) != 0 && address % UnsafeApi.pageSize() != 0)
        {
            throw invalid("ZERO_BASED memory must be page-aligned, not at 0x" + Long.toHexString(address));
        }
    }

    private static String text(final int access)
    {
        return "access 0x" + Integer.toHexString(access);
    }

    private static RdmaException invalid(final String detail)
    {
        return new RdmaException(Errno.EINVAL, VERB, detail);
    }

    private static RdmaException unsupported(final String detail)
    {
        return new RdmaException(Errno.EOPNOTSUPP, VERB, detail);
    }
}
