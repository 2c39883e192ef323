/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.os.NativeFunction;

import java.util.ArrayList;
import java.util.List;

/**
 * The RDMA devices of this host that libibverbs has a driver for. Requires {@code libibverbs.so.1} of rdma-core and
 * permission to use {@code /dev/infiniband}. Thread-safe.
 */
public final class VerbsProvider implements RdmaProvider
{
    /** The errno of libibverbs if the kernel has no RDMA support. */
    private static final int ENOSYS = 38;

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
        final long list = deviceList();
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

    /**
     * Lists the devices that exist now.
     *
     * @return address of an array of {@code struct ibv_device *} that ends with 0, to be freed; 0 if there are none.
     */
    static long deviceList()
    {
        final long list = Libibverbs.GET_DEVICE_LIST.call(0);
        if (list == 0 && NativeFunction.errno() != ENOSYS)
        {
            throw VerbsErrors.of(NativeFunction.errno(), "ibv_get_device_list", "cannot list the RDMA devices");
        }
        return list;
    }
}
