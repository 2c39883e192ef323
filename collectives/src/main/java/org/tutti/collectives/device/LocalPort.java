/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.ConnectionSecret;
import org.tutti.collectives.ConfigurationException;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.InterfaceDescription;
import org.tutti.rdma.select.InterfaceDevice;
import org.tutti.rdma.select.InterfaceKind;
import org.tutti.rdma.select.LinkRate;
import org.tutti.rdma.select.PeerLocation;
import org.tutti.rdma.select.PortChoice;
import org.tutti.rdma.select.PortDescription;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.PortSelection;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.shm.ShmProvider;
import org.tutti.rdma.tcp.TcpOptions;
import org.tutti.rdma.tcp.TcpProvider;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The port that a rank uses, with its open device. Owned by the code that opened it, which closes it after everything
 * that uses it.
 */
public final class LocalPort implements AutoCloseable
{
    private final String transport;
    private final Context context;
    private final DeviceAttributes limits;
    private final PortSelection selection;
    private final boolean isGidRequested;

    private LocalPort(
        final String transport, final Context context, final DeviceAttributes limits, final PortSelection selection,
        final boolean isGidRequested)
    {
        this.isGidRequested = isGidRequested;
        this.transport = transport;
        this.context = context;
        this.limits = limits;
        this.selection = selection;
    }

    /**
     * Opens the device of the requested port, or, without a request, of the best port.
     *
     * @param bootstrap bootstrap of the rank.
     * @param transport provider.
     * @param request   request for a port.
     * @param directory directory for shared memory; empty for the job's.
     * @param tcp       options of the transport tcp.
     * @return port, to be closed by the caller.
     * @throws ConfigurationException if there is no such provider, device, port or GID.
     * @throws RdmaException          if the provider has no usable device on this host.
     */
    public static LocalPort open(
        final Bootstrap bootstrap, final String transport, final PortRequest request, final String directory,
        final TcpOptions tcp)
    {
        final List<Context> contexts = new ArrayList<>();
        Context chosen = null;
        try
        {
            final PortChoice choice = PortChoice.of(
                transport, provider(bootstrap, transport, directory, tcp).devices(), request, bootstrap.localRank(),
                PeerLocation.of(bootstrap.localSize() == bootstrap.size()), device -> open(device, contexts));
            if (choice.selection().chosen() == null)
            {
                throw choice.selection().isRequestWrong() ? new ConfigurationException(choice.selection().problem()) :
                    new RdmaException(Errno.ENODEV, "ibv_open_device", choice.selection().problem());
            }
            final Device device = choice.device();
            PortSelection selection = choice.selection();
            Context opened = contexts.stream().filter(context -> context.device() == device).findFirst().orElse(null);
            if (opened == null)
            {
                opened = device.open();
                contexts.add(opened);
                selection = selection.at(DeviceDescription.of(opened).ports());
            }
            final LocalPort port =
                new LocalPort(transport, opened, opened.queryDevice(), selection, request.gidIndex() >= 0);
            chosen = opened;
            return port;
        }
        finally
        {
            for (final Context context : contexts)
            {
                if (context != chosen)
                {
                    context.close();
                }
            }
        }
    }

    private static DeviceDescription open(final Device device, final List<Context> contexts)
    {
        final Context context;
        try
        {
            context = device.open();
        }
        catch (final RdmaException e)
        {
            return DeviceDescription.broken(device, e.getMessage());
        }
        contexts.add(context);
        return DeviceDescription.of(context);
    }

    /**
     * Loads the provider. Ranks can communicate over shm only if their files are in one directory: the job's, unless
     * the user set another one.
     */
    private static RdmaProvider provider(
        final Bootstrap bootstrap, final String transport, final String directory, final TcpOptions tcp)
    {
        if (transport.equals(TransportNames.SHARED))
        {
            // A job of one rank has a directory of its own only while it needs one.
            return new ShmProvider(!directory.isEmpty() ? Path.of(directory) :
                bootstrap.size() > 1 ? Path.of(bootstrap.jobDirectory()) : null);
        }
        if (transport.equals(TransportNames.TCP))
        {
            try
            {
                tcp.requirePermitted();
            }
            catch (final IllegalArgumentException e)
            {
                throw new ConfigurationException(e.getMessage(), e);
            }
            return new TcpProvider(ConnectionSecret.of(bootstrap), tcp);
        }
        try
        {
            return RdmaProvider.load(transport);
        }
        catch (final RdmaException e)
        {
            throw new ConfigurationException("TUTTI_TRANSPORT='" + transport + "': " + e.getMessage(), e);
        }
    }

    public Context context()
    {
        return context;
    }

    public DeviceAttributes limits()
    {
        return limits;
    }

    /**
     * Whether the transport is shared memory: all peers are on this host, so loads and stores may be able to access
     * their memory.
     */
    public boolean isShared()
    {
        return transport.equals(TransportNames.SHARED);
    }

    /** Returns whether each poll for completions makes system calls. */
    public boolean isPolledBySystemCalls()
    {
        return transport.equals(TransportNames.TCP);
    }

    /** Returns the name of the provider. */
    public String transport()
    {
        return transport;
    }

    public PortDescription port()
    {
        return selection.chosen().port();
    }

    public GidEntry gid()
    {
        return selection.chosen().gid();
    }

    /**
     * Returns the nominal rate of the link.
     *
     * @return rate in Mbit/s; 0 if it is unknown, or if the interface is virtual: veth, for example, reports a fixed
     *         rate. A bond of several adapters has the sum of their rates.
     */
    public int linkMbit()
    {
        return context.device() instanceof final InterfaceDevice device ? mbit(device.networkInterface()) :
            LinkRate.mbit(port().attributes());
    }

    /** Rate of an interface in Mbit/s, as in {@link #linkMbit()}. */
    static int mbit(final InterfaceDescription networkInterface)
    {
        return networkInterface.kind() == InterfaceKind.PHYSICAL ? networkInterface.mbit() : 0;
    }

    /** Whether the user requested this GID. */
    public boolean isGidRequested()
    {
        return isGidRequested;
    }

    /** Returns why this port was selected. */
    public String explanation()
    {
        return selection.explanation();
    }

    @Override
    public void close()
    {
        context.close();
    }

    /** Returns provider and device, and the port if the device has several ports. */
    @Override
    public String toString()
    {
        return transport + "/" + (limits.physicalPorts == 1 ? port().device() : port().name());
    }
}
