/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.LinkLayer;

/**
 * What came out for a port.
 *
 * @param port     that it is about.
 * @param gid      that would be used, or null when the port cannot be.
 * @param gidWhy   why this GID, or null without one.
 * @param isUsable whether the port can be used and is not excluded by the wish.
 * @param isChosen whether it is the one that is used.
 * @param why      why it is chosen, or not.
 */
public record PortVerdict(
    PortDescription port, GidEntry gid, String gidWhy, boolean isUsable, boolean isChosen, String why)
{
    static PortVerdict rejected(final PortDescription port, final String why)
    {
        return new PortVerdict(port, null, null, false, false, why);
    }

    static PortVerdict usable(final PortDescription port, final GidEntry gid, final String gidWhy)
    {
        return new PortVerdict(port, gid, gidWhy, true, false, "");
    }

    PortVerdict chosen(final String reason)
    {
        return new PortVerdict(port, gid, gidWhy, true, true, reason);
    }

    /** Usable, but another is better. */
    PortVerdict passedOver(final String reason)
    {
        return new PortVerdict(port, gid, gidWhy, true, false, reason);
    }

    /** Whether a host that is not on the same link can be reached; only of a usable port. */
    boolean isFar()
    {
        return port.attributes().linkLayer != LinkLayer.ETHERNET || GidClass.of(gid).isFar();
    }
}
