/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.os.NativeFunction;

import java.io.File;

/**
 * A device of this host, identified by name, because libibverbs' structure exists only while the device is listed or
 * open.
 */
final class VerbsDevice implements Device
{
    /** The errno of libibverbs if the kernel has no RDMA support. */
    private static final int ENOSYS = 38;

    private final String name;
    private final String deviceFile;
    private final NodeType nodeType;
    private final TransportType transportType;
    private final long guid;

    /**
     * Creates a device from an entry of the device list.
     *
     * @param device {@code struct ibv_device *}.
     */
    VerbsDevice(final long device)
    {
        name = nameOf(device);
        deviceFile = "/dev/infiniband/" + Structs.string(device + Layout.DEVICE_DEV_NAME, Layout.NAME_LENGTH);
        nodeType = NodeType.of(UnsafeApi.getInt(device + Layout.DEVICE_NODE_TYPE));
        transportType = TransportType.of(UnsafeApi.getInt(device + Layout.DEVICE_TRANSPORT_TYPE));
        guid = Structs.fromNetwork(Libibverbs.GET_DEVICE_GUID.call(device));
    }

    /**
     * Lists the devices that exist now.
     *
     * @return address of an array of {@code struct ibv_device *} that ends with 0, to be freed; 0 if there are none.
     */
    static long list()
    {
        final long list = Libibverbs.GET_DEVICE_LIST.call(0);
        if (list == 0 && NativeFunction.errno() != ENOSYS)
        {
            throw VerbsErrors.of(NativeFunction.errno(), "ibv_get_device_list", "cannot list the RDMA devices");
        }
        return list;
    }

    private static String nameOf(final long device)
    {
        return Structs.string(Libibverbs.GET_DEVICE_NAME.call(device), Layout.NAME_LENGTH);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public NodeType nodeType()
    {
        return nodeType;
    }

    @Override
    public TransportType transportType()
    {
        return transportType;
    }

    @Override
    public long guid()
    {
        return guid;
    }

    @Override
    public Context open()
    {
        final long list = list();
        try
        {
            for (long entry = list; list != 0 && UnsafeApi.getLong(entry) != 0; entry += Long.BYTES)
            {
                final long device = UnsafeApi.getLong(entry);
                if (nameOf(device).equals(name))
                {
                    return VerbsContext.open(this, open(device));
                }
            }
        }
        finally
        {
            if (list != 0)
            {
                Libibverbs.FREE_DEVICE_LIST.call(list);
            }
        }
        throw new RdmaException(Errno.ENODEV, "ibv_open_device", "device " + name + " does not exist any more");
    }

    private long open(final long device)
    {
        final long handle = Libibverbs.OPEN_DEVICE.call(device);
        if (handle == 0)
        {
            final int errno = NativeFunction.errno();
            // If the library cannot open the file, it searches elsewhere and then reports that the file is missing.
            final File file = new File(deviceFile);
            final boolean isForbidden = file.exists() && !(file.canRead() && file.canWrite());
            throw VerbsErrors.of(isForbidden ? Errno.EACCES : errno, "ibv_open_device",
                "cannot open " + name + " by " + deviceFile);
        }
        return handle;
    }

    @Override
    public String toString()
    {
        return name;
    }
}
