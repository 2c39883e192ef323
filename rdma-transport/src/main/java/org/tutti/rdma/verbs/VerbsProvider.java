/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaProvider;

import java.util.ArrayList;
import java.util.List;

/**
 * The RDMA devices of this host that libibverbs has a driver for. Requires {@code libibverbs.so.1} of rdma-core and
 * permission to use {@code /dev/infiniband}. Thread-safe.
 */
public final class VerbsProvider implements RdmaProvider
{
    /** Creates a provider, which loads the library on the first listing of devices. */
    public VerbsProvider()
    {
    }

    @Override
    public String name()
    {
        return "verbs";
    }

    @Override
    public List<Device> devices()
    {
        Libibverbs.check();
        final List<Device> devices = new ArrayList<>();
        final long list = VerbsDevice.list();
        if (list != 0)
        {
            try
            {
                for (long entry = list; UnsafeApi.getLong(entry) != 0; entry += Long.BYTES)
                {
                    devices.add(new VerbsDevice(UnsafeApi.getLong(entry)));
                }
            }
            finally
            {
                Libibverbs.FREE_DEVICE_LIST.call(list);
            }
        }
        return devices;
    }
}
