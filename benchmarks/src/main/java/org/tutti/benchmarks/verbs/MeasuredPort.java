/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.tutti.bootstrap.ProcessSettings;
import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.PeerLocation;
import org.tutti.rdma.select.PortChoice;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.PortSelection;

/**
 * The port through which messages are measured.
 *
 * @param transport name of the provider.
 * @param device    the device that has the port.
 * @param number    port number, from 1.
 * @param gidIndex  index of the GID to use.
 */
public record MeasuredPort(String transport, Device device, int number, int gidIndex)
{
    /**
     * Chooses a port as jobs do: by {@code TUTTI_DEVICE} and related variables, else the best one.
     *
     * @param provider  provider of the devices.
     * @param localRank local rank on this host, from 0.
     * @param peers     location of the peers.
     * @return the port.
     * @throws IllegalStateException if no port can be chosen; the message has the reason.
     */
    public static MeasuredPort choose(final RdmaProvider provider, final int localRank, final PeerLocation peers)
    {
        final PortChoice choice = PortChoice.of(provider.name(), provider.devices(),
            PortRequest.of(ProcessSettings.read()), localRank, peers, DeviceDescription::of);
        final PortSelection selection = choice.selection();
        if (selection.chosen() == null)
        {
            throw new IllegalStateException(selection.problem());
        }
        return new MeasuredPort(
            provider.name(), choice.device(), selection.chosen().port().number(), selection.chosen().gid().index());
    }
}
