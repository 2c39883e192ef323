/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.LinkLayer;

/**
 * A port, and whether it can be used, is used, and why.
 *
 * @param port     port.
 * @param gid      the GID that would be used, or null when the port cannot be.
 * @param gidWhy   why this GID, or null without one.
 * @param isUsable whether the port can be used and is not excluded by the request.
 * @param isChosen whether it is the one that is used.
 * @param why      why it is chosen, or not.
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

    /** Usable, but another is better. */
    PortCandidate passedOver(final String reason)
    {
        return new PortCandidate(port, gid, gidWhy, true, false, reason);
    }

    /** Whether a host that is not on the same link can be reached; only of a usable port. */
    boolean isFar()
    {
        return port.attributes().linkLayer != LinkLayer.ETHERNET || GidClass.of(gid).isFar();
    }
}
