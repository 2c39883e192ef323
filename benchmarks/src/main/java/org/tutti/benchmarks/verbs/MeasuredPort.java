/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.tutti.bootstrap.ProcessSettings;
import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.PortSelection;
import org.tutti.rdma.select.PortSelector;

import java.util.List;

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
     * @return the port.
     * @throws IllegalStateException if no port can be chosen; the message has the reason.
     */
    public static MeasuredPort choose(final RdmaProvider provider, final int localRank)
    {
        final List<DeviceDescription> devices =
            provider.devices().stream().map(DeviceDescription::of).toList();
        final PortSelection selection =
            PortSelector.select(provider.name(), devices, PortRequest.of(ProcessSettings.read()), localRank);
        if (selection.chosen() == null)
        {
            throw new IllegalStateException(selection.problem());
        }
        final String name = selection.chosen().port().device();
        final Device device = devices.stream()
            .map(DeviceDescription::device).filter(candidate -> candidate.name().equals(name)).findFirst()
            .orElseThrow();
        return new MeasuredPort(
            provider.name(), device, selection.chosen().port().number(), selection.chosen().gid().index());
    }
}
