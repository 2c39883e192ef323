/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.LinkLayer;

/**
 * A port, whether it is usable and chosen, and why.
 *
 * @param port     port.
 * @param gid      the GID that would be used, or null if the port is not usable.
 * @param gidWhy   reason for this GID, or null without a GID.
 * @param isUsable whether the port works and is not excluded by the request.
 * @param isChosen whether the port is the selected one.
 * @param why      reason why the port is chosen, or is not.
 */
public record PortCandidate(
    PortDescription port, GidEntry gid, String gidWhy, boolean isUsable, boolean isChosen, String why)
{
    static PortCandidate rejected(final PortDescription port, final String why)
    {
        return new PortCandidate(port, null, null, false, false, why);
    }

    static PortCandidate usable(final PortDescription port, final GidEntry gid, final String gidWhy)
    {
        return new PortCandidate(port, gid, gidWhy, true, false, "");
    }

    PortCandidate chosen(final String reason)
    {
        return new PortCandidate(port, gid, gidWhy, true, true, reason);
    }

    /** The candidate if another port is preferred: usable, but not chosen. */
    PortCandidate notChosen(final String reason)
    {
        return new PortCandidate(port, gid, gidWhy, true, false, reason);
    }

    /** False if the GID of an Ethernet port is link-local or loopback, else true. Requires a usable port. */
    boolean isFar()
    {
        return port.attributes().linkLayer != LinkLayer.ETHERNET || GidClass.of(gid).isFar();
    }
}
