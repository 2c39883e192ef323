/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.RdmaProvider;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.util.function.BiFunction;

/** Opens devices. Thread-safe. */
public final class DeviceOpener implements BiFunction<Device, Context, Context>
{
    /**
     * Loads DiSNI and its native library.
     *
     * @throws RdmaException if it cannot be loaded or has another version; the message contains the fix.
     */
    public DeviceOpener()
    {
        try
        {
            RdmaProvider.provider();
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.EINVAL, "load_provider", "libdisni does not match DiSNI 2.1: " +
                e.getMessage() + "; remove it from java.library.path");
        }
        catch (final UnsatisfiedLinkError e)
        {
            throw new RdmaException(Errno.ENOENT, "load_provider", "libdisni cannot be loaded: " + e.getMessage() +
                "; install libibverbs1 and librdmacm1");
        }
    }

    @Override
    public Context apply(final Device device, final Context queries)
    {
        return new DisniContext(device, queries);
    }
}
