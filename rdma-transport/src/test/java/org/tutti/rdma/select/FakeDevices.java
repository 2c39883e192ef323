/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.TransportType;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Descriptions of devices that no test machine has. */
final class FakeDevices
{
    /** 4X EDR. */
    static final int[] EDR_100G = {2, 32};
    /** 4X HDR. */
    static final int[] HDR_200G = {2, 64};

    private FakeDevices()
    {
    }

    /** A device whose ports are numbered from 1. */
    static DeviceDescription device(final String name, final PortDescription... ports)
    {
        final List<PortDescription> numbered = new ArrayList<>();
        for (final PortDescription port : ports)
        {
            final int number = numbered.size() + 1;
            numbered.add(new PortDescription(name, port.transport(), number, port.attributes(), port.gids().stream()
                .map(gid -> new GidEntry(gid.gid(), gid.index(), number, gid.type(), gid.interfaceIndex())).toList()));
        }
        final TransportType transport = ports.length == 0 ? TransportType.INFINIBAND : ports[0].transport();
        return new DeviceDescription(
            new Named(name, transport), new DeviceAttributes(), 1, numbered, null);
    }

    static DeviceDescription broken(final String name, final String problem)
    {
        return DeviceDescription.broken(new Named(name, TransportType.INFINIBAND), problem);
    }

    static PortDescription infiniBand(final PortState state, final int[] rate)
    {
        return port(TransportType.INFINIBAND, LinkLayer.INFINIBAND, state, rate, 7,
            gid("fe80::506b:4b03:c1:9a2c", 0, GidType.INFINIBAND));
    }

    static PortDescription roce(final PortState state, final int[] rate, final GidEntry... gids)
    {
        return port(TransportType.INFINIBAND, LinkLayer.ETHERNET, state, rate, 0, gids);
    }

    static PortDescription port(
        final TransportType transport, final LinkLayer layer, final PortState state, final int[] rate, final int lid,
        final GidEntry... gids)
    {
        final PortAttributes attributes = new PortAttributes();
        attributes.state = state;
        attributes.linkLayer = layer;
        attributes.activeWidth = rate[0];
        attributes.activeSpeed = rate[1];
        attributes.lid = lid;
        attributes.gidTableLength = 256;
        return new PortDescription("", transport, 1, attributes, List.of(gids));
    }

    static GidEntry gid(final String address, final int index, final GidType type)
    {
        return new GidEntry(gid(address), index, 1, type, 2);
    }

    static Gid gid(final String address)
    {
        try
        {
            final byte[] bytes = InetAddress.getByName(address).getAddress();
            final ByteBuffer buffer = ByteBuffer.allocate(Gid.LENGTH);
            // Java converts an IPv4-mapped address to IPv4.
            return Gid.of(bytes.length == Gid.LENGTH ? bytes :
                buffer.putLong(0).putInt(0xFFFF).put(bytes).array());
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalArgumentException(address, e);
        }
    }

    private record Named(String name, TransportType transportType) implements Device
    {
        @Override
        public NodeType nodeType()
        {
            return NodeType.CA;
        }

        @Override
        public long guid()
        {
            return 1;
        }

        @Override
        public Context open()
        {
            throw new UnsupportedOperationException("cannot open a described device");
        }
    }
}
