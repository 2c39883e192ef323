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
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.PortSelection;
import org.tutti.rdma.select.PortSelector;

/**
 * What there is of a transport on this host.
 *
 * @param name      name of the provider.
 * @param problem   one line that says why it does not work here, or null.
 * @param devices   devices in the provider's order; none when it does not work.
 * @param selection what local rank 0 of a run would use; null when it does not work.
 */
record TransportView(String name, String problem, List<DeviceDescription> devices, PortSelection selection)
{
    /** Looks at all providers that this program has; one that does not work spoils no other. */
    static List<TransportView> all(final PortRequest request)
    {
        final List<TransportView> views = new ArrayList<>();
        for (final RdmaProvider provider : ServiceLoader.load(RdmaProvider.class))
        {
            views.add(of(provider, request));
        }
        return views;
    }

    static TransportView of(final RdmaProvider provider, final PortRequest request)
    {
        try
        {
            return of(provider.name(), provider.devices().stream().map(TransportView::describe).toList(), request);
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
