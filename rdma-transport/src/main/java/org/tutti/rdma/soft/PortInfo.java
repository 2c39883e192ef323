/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AtomicCapability;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueueLimits;

/** The attributes of a context's device and of its only port, as far as they do not depend on its services. */
public final class PortInfo
{
    private static final long MAX_MESSAGE_SIZE = 1L << 31;
    private static final int LINK_UP = 5;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final long guid;
    private final Gid gid;
    private final int lid;
    private final LinkLayer linkLayer;
    private final String firmware;
    private final Rate rate;

    /**
     * The encoded rate of a link.
     *
     * @param width active width, as in the attributes of a port; 0 if unknown.
     * @param speed active speed of a lane, as in the attributes of a port; 0 if unknown.
     */
    public record Rate(int width, int speed)
    {
        /** No known rate. */
        public static final Rate UNKNOWN = new Rate(0, 0);
    }

    /**
     * Creates the attributes of a context whose link has no known rate.
     *
     * @param guid      GUID of the device.
     * @param gid       GID of the port.
     * @param lid       LID of the port.
     * @param linkLayer link layer of the port.
     * @param firmware  version of the device's firmware.
     */
    public PortInfo(final long guid, final Gid gid, final int lid, final LinkLayer linkLayer, final String firmware)
    {
        this(guid, gid, lid, linkLayer, firmware, Rate.UNKNOWN);
    }

    /**
     * Creates the attributes of a context.
     *
     * @param guid      GUID of the device.
     * @param gid       GID of the port.
     * @param lid       LID of the port.
     * @param linkLayer link layer of the port.
     * @param firmware  version of the device's firmware.
     * @param rate      rate of the port's link.
     */
    public PortInfo(final long guid, final Gid gid, final int lid, final LinkLayer linkLayer, final String firmware,
        final Rate rate)
    {
        this.rate = rate;
        this.linkLayer = linkLayer;
        this.firmware = firmware;
        this.guid = guid;
        this.gid = gid;
        this.lid = lid;
    }

    /**
     * Returns the attributes of the device.
     *
     * @return a new object, without multicast groups and address handles.
     */
    public DeviceAttributes device()
    {
        final DeviceAttributes attributes = new DeviceAttributes();
        attributes.firmwareVersion = firmware;
        attributes.nodeGuid = guid;
        attributes.systemImageGuid = guid;
        attributes.maxMemoryRegionLength = Long.MAX_VALUE;
        attributes.pageSizes = UnsafeApi.pageSize();
        attributes.maxQueuePairs = ControlLayout.MAX_QPS - 1;
        attributes.maxWorkRequests = QueueLimits.MAX_WORK_REQUESTS;
        attributes.maxSge = QueueLimits.MAX_SGE;
        attributes.maxSgeRead = QueueLimits.MAX_SGE;
        attributes.maxCompletionQueues = Integer.MAX_VALUE;
        attributes.maxCqe = QueueLimits.MAX_CQE;
        attributes.maxMemoryRegions = ControlLayout.MAX_REGIONS;
        attributes.maxProtectionDomains = Integer.MAX_VALUE;
        attributes.maxRdAtomic = QueueLimits.MAX_RD_ATOMIC;
        attributes.maxInitRdAtomic = QueueLimits.MAX_RD_ATOMIC;
        attributes.atomicCapability = AtomicCapability.GLOBAL;
        attributes.maxSharedReceiveQueues = QueueLimits.MAX_SHARED_QUEUES;
        attributes.maxSharedWorkRequests = QueueLimits.MAX_WORK_REQUESTS;
        attributes.maxSharedSge = QueueLimits.MAX_SGE;
        attributes.maxPkeys = 1;
        attributes.physicalPorts = 1;
        attributes.maxInlineData = QueueLimits.MAX_INLINE_DATA;
        return attributes;
    }

    /**
     * Returns the attributes of the port.
     *
     * @param portNum number of the port.
     * @return a new object.
     * @throws RdmaException with EINVAL if the number is not 1.
     */
    public PortAttributes port(final int portNum)
    {
        checkPort(portNum, "ibv_query_port");
        final PortAttributes attributes = new PortAttributes();
        attributes.state = PortState.ACTIVE;
        attributes.maxMtu = QueueLimits.MTU;
        attributes.activeMtu = QueueLimits.MTU;
        attributes.gidTableLength = 1;
        attributes.maxMessageSize = MAX_MESSAGE_SIZE;
        attributes.pkeyTableLength = 1;
        attributes.lid = lid;
        attributes.activeWidth = rate.width();
        attributes.activeSpeed = rate.speed();
        attributes.physicalState = LINK_UP;
        attributes.linkLayer = linkLayer;
        return attributes;
    }

    public Gid gid()
    {
        return gid;
    }

    /**
     * Returns an entry of the GID table.
     *
     * @param portNum number of the port.
     * @param index   index in the table.
     * @return the GID.
     * @throws RdmaException with EINVAL if the number is not 1 or the index is not 0.
     */
    public Gid gid(final int portNum, final int index)
    {
        checkPort(portNum, "ibv_query_gid");
        if (index != 0)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_query_gid", "index " + index + ": the port has only GID 0");
        }
        return gid;
    }

    /**
     * Returns an entry of the P_Key table.
     *
     * @param portNum number of the port.
     * @param index   index in the table.
     * @return the default P_Key.
     * @throws RdmaException with EINVAL if the number is not 1 or the index is not 0.
     */
    public int pkey(final int portNum, final int index)
    {
        checkPort(portNum, "ibv_query_pkey");
        if (index != 0)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_query_pkey", "index " + index + ": the port has only P_Key 0");
        }
        return DEFAULT_PKEY;
    }

    private static void checkPort(final int portNum, final String verb)
    {
        if (portNum != 1)
        {
            throw new RdmaException(Errno.EINVAL, verb, "port " + portNum + ": the device has only port 1");
        }
    }
}
