/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Device;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The port that a rank uses, among the devices of a transport: by {@link PortSelector}, or, if they are network
 * interfaces, by their addresses.
 *
 * @param devices   descriptions of the devices that are shown to the user, in order.
 * @param selection the selected port, and reasons.
 */
public record PortChoice(List<DeviceDescription> devices, PortSelection selection)
{
    /** Keeps a copy of the list. */
    public PortChoice
    {
        devices = List.copyOf(devices);
    }

    /**
     * Chooses a port. Network interfaces are described without opening them.
     *
     * @param transport name of the devices' provider.
     * @param devices   all devices, in the provider's order.
     * @param request   request of the user.
     * @param localRank index of this rank among the ranks of the host, from 0.
     * @param peers     location of the peers.
     * @param describe  describes a device that is no network interface.
     * @return the port, or the reason why there is none.
     */
    public static PortChoice of(
        final String transport, final List<Device> devices, final PortRequest request, final int localRank,
        final PeerLocation peers, final Function<Device, DeviceDescription> describe)
    {
        final List<InterfaceDevice> interfaces = devices.stream().filter(InterfaceDevice.class::isInstance)
            .map(InterfaceDevice.class::cast).toList();
        if (!interfaces.isEmpty())
        {
            return of(interfaces, request, localRank, peers);
        }
        final List<DeviceDescription> described = devices.stream().map(describe).toList();
        return new PortChoice(described, request.isTcp() ? PortSelector.reject(described, request,
            request.sources().device() + " names a network interface for transport " + TransportNames.TCP + ", not a " +
            "device of transport " + transport) : PortSelector.select(transport, described, request, localRank));
    }

    private static PortChoice of(
        final List<InterfaceDevice> interfaces, final PortRequest request, final int localRank,
        final PeerLocation peers)
    {
        final InterfaceSelection selection = InterfaceSelector.select(
            interfaces.stream().map(InterfaceDevice::networkInterface).toList(), request, localRank, peers);
        final List<DeviceDescription> devices = new ArrayList<>();
        final List<PortCandidate> ports = new ArrayList<>();
        PortCandidate chosen = null;
        for (final InterfaceCandidate candidate : selection.candidates())
        {
            final InterfaceDevice device = interfaces.get(candidate.index());
            final InetAddress address = candidate.address();
            final DeviceDescription description = (address == null ? device : device.at(address)).describe();
            // Interfaces without an address are not shown: a host with containers has many.
            if (description.ports().isEmpty())
            {
                continue;
            }
            devices.add(description);
            final PortDescription port = description.ports().getFirst();
            final PortCandidate shown = candidate.isUsable() ? PortCandidate.usable(
                port, port.gids().getFirst(), AddressKind.of(address).toString()).notChosen(candidate.why()) :
                PortCandidate.rejected(port, candidate.why());
            final boolean isChosen = candidate.index() == selection.chosen();
            ports.add(isChosen ? shown.chosen(candidate.why()) : shown);
            chosen = isChosen ? ports.getLast() : chosen;
        }
        return new PortChoice(devices, new PortSelection(ports, chosen, selection.problem(), selection.isWrong()));
    }

    /**
     * The device of the chosen port.
     *
     * @return device to open; an interface has the address of the choice.
     * @throws java.util.NoSuchElementException if no port is chosen.
     */
    public Device device()
    {
        return devices.stream().filter(description -> selection.chosen() != null &&
            description.ports().contains(selection.chosen().port())).findFirst().orElseThrow().device();
    }
}
