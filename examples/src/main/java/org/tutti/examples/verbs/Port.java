/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.PeerLocation;
import org.tutti.rdma.select.PortChoice;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.PortSelection;

/**
 * A port of an open device, and the GID to use.
 * <p>
 * A port has a table of GIDs. On InfiniBand any GID will do. On Ethernet each GID belongs to an IP address and a RoCE
 * version. The version must be the same on both sides; a link-local GID reaches no further than the next router.
 *
 * @param context    context of the device; closed with the port.
 * @param number     port number, from 1.
 * @param attributes attributes at the time of opening.
 * @param gid        local address.
 */
record Port(Context context, int number, PortAttributes attributes, GidEntry gid) implements AutoCloseable
{
    private static final int HOP_LIMIT = 64;

    /**
     * Chooses a port as jobs do, and opens its device.
     *
     * @param request request of the user; unspecified parts default to the best choice, a routable GID first.
     */
    static Port open(final RdmaProvider provider, final PortRequest request)
    {
        final PortChoice choice = PortChoice.of(
            provider.name(), provider.devices(), request, 0, PeerLocation.UNKNOWN, DeviceDescription::of);
        final PortSelection selection = choice.selection();
        if (selection.chosen() == null)
        {
            throw new RdmaException(Errno.ENODEV, "ibv_open_device", selection.problem());
        }
        final int number = selection.chosen().port().number();
        final int gidIndex = selection.chosen().gid().index();
        final Context context = choice.device().open();
        try
        {
            final GidEntry gid = context.queryGidTable(number).stream()
                .filter(entry -> entry.index() == gidIndex).findFirst().orElseThrow();
            return new Port(context, number, context.queryPort(number), gid);
        }
        catch (final RuntimeException e)
        {
            context.close();
            throw e;
        }
    }

    /** Route from this port to another. */
    AddressHandleAttributes pathTo(final Gid peerGid, final int peerLid)
    {
        return new AddressHandleAttributes(isGlobal(), peerGid, gid.index(), HOP_LIMIT, peerLid, 0, number);
    }

    /** Whether packets carry GIDs: always, except on InfiniBand, where LIDs suffice within a subnet. */
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
}
