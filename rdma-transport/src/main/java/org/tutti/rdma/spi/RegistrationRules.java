/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** What memory can be registered, and how, on any device. Stateless. */
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
     * Refuses what no device registers, or not this one.
     *
     * @param address  address of the first byte.
     * @param length   length in bytes.
     * @param access   {@link AccessFlags}.
     * @param lacking  those that the provider or the device does not have.
     * @param provider name of the provider, for messages.
     * @throws RdmaException with EINVAL if it makes no sense, with EOPNOTSUPP if it is lacking.
     */
    public static void check(
        final long address, final long length, final int access, final int lacking, final String provider)
    {
        if (length <= 0 || address == 0)
        {
            throw invalid(length + " bytes at 0x" + Long.toHexString(address) + ": both must be more than 0");
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
            throw unsupported(provider + " has no paging on demand; register without ON_DEMAND");
        }
        if ((access & lacking & AccessFlags.ZERO_BASED) != 0)
        {
            throw unsupported(provider + " counts addresses as this process does; register without ZERO_BASED");
        }
        if ((access & AccessFlags.ZERO_BASED) != 0 && address % UnsafeApi.pageSize() != 0)
        {
            throw invalid("ZERO_BASED memory has to begin at a page, not at 0x" + Long.toHexString(address));
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
