/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.PortAttributes;

import java.util.List;

/** The queries of a context with one port, as its {@link PortInfo} answers them. */
public interface PortQueries extends Context
{
    /**
     * The attributes of the device and its port.
     *
     * @return the attributes, which do not change.
     */
    PortInfo portInfo();

    @Override
    default DeviceAttributes queryDevice()
    {
        return portInfo().device();
    }

    @Override
    default PortAttributes queryPort(final int portNum)
    {
        return portInfo().port(portNum);
    }

    @Override
    default Gid queryGid(final int portNum, final int index)
    {
        return portInfo().gid(portNum, index);
    }

    @Override
    default List<GidEntry> queryGidTable(final int portNum)
    {
        return List.of(new GidEntry(queryGid(portNum, 0), 0, portNum, GidType.UNKNOWN, 0));
    }

    @Override
    default int queryPkey(final int portNum, final int index)
    {
        return portInfo().pkey(portNum, index);
    }
}
