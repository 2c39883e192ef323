/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AtomicCapability;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Converts between libibverbs' structures and Java's. Stateless. */
final class Structs
{
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Structs()
    {
    }

    static long fromNetwork(final long value)
    {
        return IS_LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }

    static int getByte(final long address)
    {
        return UnsafeApi.getByte(address) & 0xFF;
    }

    static int getShort(final long address)
    {
        return UnsafeApi.getShort(address) & 0xFFFF;
    }

    /**
     * Reads a string that ends with 0 or at the end of its array.
     *
     * @param address address of the first byte.
     * @param length  length of the array.
     * @return the text.
     */
    static String string(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        int count = 0;
        while (count < length && (bytes[count] = UnsafeApi.getByte(address + count)) != 0)
        {
            count++;
        }
        return new String(bytes, 0, count, StandardCharsets.UTF_8);
    }

    static <E> E constant(final E[] values, final int ordinal, final E defaultValue)
    {
        return ordinal >= 0 && ordinal < values.length ? values[ordinal] : defaultValue;
    }

    static Gid gid(final long address)
    {
        return new Gid(fromNetwork(UnsafeApi.getLong(address)), fromNetwork(UnsafeApi.getLong(address + 8)));
    }

    static void putGid(final long address, final Gid gid)
    {
        UnsafeApi.putLong(address, fromNetwork(gid.high()));
        UnsafeApi.putLong(address + 8, fromNetwork(gid.low()));
    }

    static GidEntry gidEntry(final long entry)
    {
        final int type = UnsafeApi.getInt(entry + Layout.GID_ENTRY_GID_TYPE);
        return new GidEntry(gid(entry + Layout.GID_ENTRY_GID), UnsafeApi.getInt(entry + Layout.GID_ENTRY_GID_INDEX),
            UnsafeApi.getInt(entry + Layout.GID_ENTRY_PORT_NUM),
            constant(GidType.values(), type, GidType.UNKNOWN),
            UnsafeApi.getInt(entry + Layout.GID_ENTRY_NDEV_IFINDEX));
    }

    static DeviceAttributes deviceAttributes(final long from)
    {
        final DeviceAttributes to = new DeviceAttributes();
        to.firmwareVersion = string(from + Layout.DEVICE_ATTR_FW_VER, Layout.NAME_LENGTH);
        to.nodeGuid = fromNetwork(UnsafeApi.getLong(from + Layout.DEVICE_ATTR_NODE_GUID));
        to.systemImageGuid = fromNetwork(UnsafeApi.getLong(from + Layout.DEVICE_ATTR_SYS_IMAGE_GUID));
        to.maxMemoryRegionLength = UnsafeApi.getLong(from + Layout.DEVICE_ATTR_MAX_MR_SIZE);
        to.pageSizes = UnsafeApi.getLong(from + Layout.DEVICE_ATTR_PAGE_SIZE_CAP);
        to.vendorId = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_VENDOR_ID);
        to.vendorPartId = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_VENDOR_PART_ID);
        to.hardwareVersion = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_HW_VER);
        to.maxQueuePairs = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_QP);
        to.maxWorkRequests = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_QP_WR);
        to.capabilityFlags = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_DEVICE_CAP_FLAGS);
        to.maxSge = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_SGE);
        to.maxSgeRead = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_SGE_RD);
        to.maxCompletionQueues = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_CQ);
        to.maxCqe = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_CQE);
        to.maxMemoryRegions = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_MR);
        to.maxProtectionDomains = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_PD);
        to.maxRdAtomic = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_QP_RD_ATOM);
        to.maxResponderRdAtomic = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_RES_RD_ATOM);
        to.maxInitRdAtomic = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_QP_INIT_RD_ATOM);
        to.atomicCapability = constant(AtomicCapability.values(),
            UnsafeApi.getInt(from + Layout.DEVICE_ATTR_ATOMIC_CAP), AtomicCapability.NONE);
        to.maxMemoryWindows = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_MW);
        to.maxRawQueuePairs = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_RAW_ETHY_QP);
        to.maxMulticastGroups = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_MCAST_GRP);
        to.maxMulticastQueuePairs = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_MCAST_QP_ATTACH);
        to.maxMulticastAttachments =
            UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_TOTAL_MCAST_QP_ATTACH);
        to.maxAddressHandles = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_AH);
        to.maxSharedReceiveQueues = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_SRQ);
        to.maxSharedWorkRequests = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_SRQ_WR);
        to.maxSharedSge = UnsafeApi.getInt(from + Layout.DEVICE_ATTR_MAX_SRQ_SGE);
        to.maxPkeys = getShort(from + Layout.DEVICE_ATTR_MAX_PKEYS);
        to.localAckDelay = getByte(from + Layout.DEVICE_ATTR_LOCAL_CA_ACK_DELAY);
        to.physicalPorts = getByte(from + Layout.DEVICE_ATTR_PHYS_PORT_CNT);
        return to;
    }

    static PortAttributes portAttributes(final long from)
    {
        final PortAttributes to = new PortAttributes();
        to.state = constant(PortState.values(), UnsafeApi.getInt(from + Layout.PORT_ATTR_STATE), PortState.NOP);
        to.maxMtu = Layout.mtuBytes(UnsafeApi.getInt(from + Layout.PORT_ATTR_MAX_MTU));
        to.activeMtu = Layout.mtuBytes(UnsafeApi.getInt(from + Layout.PORT_ATTR_ACTIVE_MTU));
        to.gidTableLength = UnsafeApi.getInt(from + Layout.PORT_ATTR_GID_TBL_LEN);
        to.capabilityFlags = UnsafeApi.getInt(from + Layout.PORT_ATTR_PORT_CAP_FLAGS);
        to.maxMessageSize = UnsafeApi.getInt(from + Layout.PORT_ATTR_MAX_MSG_SZ) & 0xFFFF_FFFFL;
        to.badPkeys = UnsafeApi.getInt(from + Layout.PORT_ATTR_BAD_PKEY_CNTR);
        to.qkeyViolations = UnsafeApi.getInt(from + Layout.PORT_ATTR_QKEY_VIOL_CNTR);
        to.pkeyTableLength = getShort(from + Layout.PORT_ATTR_PKEY_TBL_LEN);
        to.lid = getShort(from + Layout.PORT_ATTR_LID);
        to.subnetManagerLid = getShort(from + Layout.PORT_ATTR_SM_LID);
        to.lidMaskControl = getByte(from + Layout.PORT_ATTR_LMC);
        to.maxVirtualLanes = getByte(from + Layout.PORT_ATTR_MAX_VL_NUM);
        to.subnetManagerServiceLevel = getByte(from + Layout.PORT_ATTR_SM_SL);
        to.subnetTimeout = getByte(from + Layout.PORT_ATTR_SUBNET_TIMEOUT);
        to.initTypeReply = getByte(from + Layout.PORT_ATTR_INIT_TYPE_REPLY);
        to.activeWidth = getByte(from + Layout.PORT_ATTR_ACTIVE_WIDTH);
        to.activeSpeed = getByte(from + Layout.PORT_ATTR_ACTIVE_SPEED);
        to.physicalState = getByte(from + Layout.PORT_ATTR_PHYS_STATE);
        to.linkLayer = constant(LinkLayer.values(), getByte(from + Layout.PORT_ATTR_LINK_LAYER),
            LinkLayer.UNSPECIFIED);
        return to;
    }

    static void putPath(final long to, final AddressHandleAttributes from)
    {
        if (from.dgid() != null)
        {
            putGid(to + Layout.AH_ATTR_DGID, from.dgid());
        }
        UnsafeApi.putInt(to + Layout.AH_ATTR_FLOW_LABEL, from.flowLabel());
        UnsafeApi.putByte(to + Layout.AH_ATTR_SGID_INDEX, (byte)from.sgidIndex());
        UnsafeApi.putByte(to + Layout.AH_ATTR_HOP_LIMIT, (byte)from.hopLimit());
        UnsafeApi.putByte(to + Layout.AH_ATTR_TRAFFIC_CLASS, (byte)from.trafficClass());
        UnsafeApi.putShort(to + Layout.AH_ATTR_DLID, (short)from.dlid());
        UnsafeApi.putByte(to + Layout.AH_ATTR_SL, (byte)from.serviceLevel());
        UnsafeApi.putByte(to + Layout.AH_ATTR_SRC_PATH_BITS, (byte)from.sourcePathBits());
        UnsafeApi.putByte(to + Layout.AH_ATTR_STATIC_RATE, (byte)from.staticRate());
        UnsafeApi.putByte(to + Layout.AH_ATTR_IS_GLOBAL, (byte)(from.global() ? 1 : 0));
        UnsafeApi.putByte(to + Layout.AH_ATTR_PORT_NUM, (byte)from.portNum());
    }

    static AddressHandleAttributes path(final long from)
    {
        return new AddressHandleAttributes(
            getByte(from + Layout.AH_ATTR_IS_GLOBAL) != 0,
            gid(from + Layout.AH_ATTR_DGID),
            UnsafeApi.getInt(from + Layout.AH_ATTR_FLOW_LABEL),
            getByte(from + Layout.AH_ATTR_SGID_INDEX),
            getByte(from + Layout.AH_ATTR_HOP_LIMIT),
            getByte(from + Layout.AH_ATTR_TRAFFIC_CLASS),
            getShort(from + Layout.AH_ATTR_DLID),
            getByte(from + Layout.AH_ATTR_SL),
            getByte(from + Layout.AH_ATTR_SRC_PATH_BITS),
            getByte(from + Layout.AH_ATTR_STATIC_RATE),
            getByte(from + Layout.AH_ATTR_PORT_NUM));
    }

    /**
     * Reads a function pointer as a segment for the linker.
     *
     * @param address address of the pointer.
     * @return segment at the function's address.
     */
    static MemorySegment function(final long address)
    {
        return MemorySegment.ofAddress(UnsafeApi.getLong(address));
    }
}
