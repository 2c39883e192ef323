/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.PeerLocation;
import org.tutti.rdma.select.PortChoice;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.PortSelection;
import org.tutti.rdma.select.PortSelector;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.tcp.TcpOptions;
import org.tutti.rdma.tcp.TcpProvider;

/**
 * A transport on this host.
 *
 * @param name      name of the provider.
 * @param problem   reason in one line why the transport is not available, or null.
 * @param devices   devices in the provider's order; empty if the transport is not available.
 * @param selection port that local rank 0 of a run would use; null if the transport is not available.
 */
record TransportView(String name, String problem, List<DeviceDescription> devices, PortSelection selection)
{
    /** Views of all installed providers; the failure of one provider does not affect the others. */
    static List<TransportView> all(final PortRequest request, final TcpOptions tcp)
    {
        final List<TransportView> views = new ArrayList<>();
        for (final RdmaProvider provider : ServiceLoader.load(RdmaProvider.class))
        {
            final boolean isTcp = provider.name().equals(TransportNames.TCP);
            views.add(of(isTcp ? new TcpProvider(TcpProvider.randomSecret(), tcp) : provider, request));
        }
        return views;
    }

    static TransportView of(final RdmaProvider provider, final PortRequest request)
    {
        try
        {
            final PortChoice choice = PortChoice.of(
                provider.name(), provider.devices(), request, 0, PeerLocation.UNKNOWN, TransportView::describe);
            return new TransportView(provider.name(), null, choice.devices(), choice.selection());
        }
        catch (final RuntimeException | LinkageError e)
        {
            return new TransportView(provider.name(), oneLine(e), List.of(), null);
        }
    }

    static TransportView of(final String name, final List<DeviceDescription> devices, final PortRequest request)
    {
        return new TransportView(name, null, devices, PortSelector.select(name, devices, request, 0));
    }

    private static DeviceDescription describe(final Device device)
    {
        return DeviceDescription.of(device);
    }

    private static String oneLine(final Throwable e)
    {
        return e.getMessage() == null ? e.toString() : e.getMessage().replaceAll("\\s*\\R\\s*", " ");
    }
}
