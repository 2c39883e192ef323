/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.TransportType;

import java.util.List;

/**
 * The properties that a port reports.
 *
 * @param device     the name of its device.
 * @param transport  the protocol of its device.
 * @param number     number of the port, counted from 1.
 * @param attributes attributes of the port.
 * @param gids       the entries of its GID table that are not empty, in the order of the table.
 */
public record PortDescription(
    String device, TransportType transport, int number, PortAttributes attributes, List<GidEntry> gids)
{
    /** Keeps a copy of the list. */
    public PortDescription
    {
        gids = List.copyOf(gids);
    }

    /**
     * The name of the port.
     *
     * @return a name such as {@code mlx5_0:1}.
     */
    public String name()
    {
        return device + ":" + number;
    }

    /**
     * Whether peers are addressed by LID.
     *
     * @return false for Ethernet and shared memory.
     */
    public boolean isInfiniBand()
    {
        return attributes.linkLayer == LinkLayer.INFINIBAND || attributes.linkLayer == LinkLayer.UNSPECIFIED;
    }

    boolean isActive()
    {
        return attributes.state == PortState.ACTIVE;
    }
}
