/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;

import java.util.List;

/**
 * A port of an open device, and which of its addresses we go by.
 * <p>
 * A port has a table of GIDs. On InfiniBand any will do. On Ethernet each belongs to an IP address and to a kind of
 * packet, both sides must choose the same kind, and a link-local one reaches no further than the next router.
 *
 * @param context    of the device; closed with this.
 * @param number     of the port, counted from 1.
 * @param attributes as they were when it was opened.
 * @param gid        our address.
 */
record Port(Context context, int number, PortAttributes attributes, GidEntry gid) implements AutoCloseable
{
    private static final int HOP_LIMIT = 64;

    /**
     * Opens a device and looks at one of its ports.
     *
     * @param device   its name, or null for the first.
     * @param number   of the port.
     * @param gidIndex of our address, or null to choose.
     */
    static Port open(final RdmaProvider provider, final String device, final int number, final Integer gidIndex)
    {
        final Context context = find(provider, device).open();
        try
        {
            final PortAttributes attributes = context.queryPort(number);
            if (attributes.state != PortState.ACTIVE)
            {
                throw new RdmaException(Errno.ENODEV, "ibv_query_port", "port " + number + " of " +
                    context.device().name() + " is " + attributes.state + ": bring its link up, or give another port");
            }
            return new Port(context, number, attributes, choose(context, number, gidIndex));
        }
        catch (final RuntimeException e)
        {
            context.close();
            throw e;
        }
    }

    /** The way from this port to another. */
    AddressHandleAttributes pathTo(final Gid peerGid, final int peerLid)
    {
        return new AddressHandleAttributes(isGlobal(), peerGid, gid.index(), HOP_LIMIT, peerLid, 0, number);
    }

    /** Whether GIDs are what packets carry: always but on InfiniBand, where LIDs do within a subnet. */
    boolean isGlobal()
    {
        return attributes.linkLayer != LinkLayer.INFINIBAND && attributes.linkLayer != LinkLayer.UNSPECIFIED;
    }

    @Override
    public void close()
    {
        context.close();
    }

    @Override
    public String toString()
    {
        return String.format("%s, port %d (%s, MTU %d), GID %d: %s (%s)", context.device().name(), number,
            attributes.linkLayer, attributes.activeMtu, gid.index(), gid.gid(), gid.type());
    }

    private static Device find(final RdmaProvider provider, final String name)
    {
        final List<Device> devices = provider.devices();
        return devices.stream().filter((device) -> name == null || device.name().equals(name)).findFirst().orElseThrow(
            () -> new RdmaException(Errno.ENODEV, "ibv_open_device", "transport " + provider.name() + " has no device" +
                (name == null ? " on this host" : " '" + name + "'; it has " +
                devices.stream().map(Device::name).toList())));
    }

    private static GidEntry choose(final Context context, final int number, final Integer index)
    {
        final List<GidEntry> table = context.queryGidTable(number);
        GidEntry best = null;
        for (final GidEntry entry : table)
        {
            if (index == null ? best == null || rank(entry) > rank(best) : entry.index() == index)
            {
                best = entry;
            }
        }
        if (best == null)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_query_gid", "port " + number + " of " +
                context.device().name() + (index == null ? " has no GID: give its interface an IP address" :
                " has no GID " + index + "; it has " + table.stream().map(GidEntry::index).toList()));
        }
        return best;
    }

    private static int rank(final GidEntry entry)
    {
        // How far it reaches comes first, then RoCE v2, which routers forward, then IPv4, which all networks have.
        return (entry.gid().isLinkLocal() ? 0 : 4) + (entry.type() == GidType.ROCE_V2 ? 2 : 0) +
            (entry.gid().isIpv4Mapped() ? 1 : 0);
    }
}
