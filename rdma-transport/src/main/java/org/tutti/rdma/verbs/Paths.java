/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;

/** Diagnoses paths to peers. Stateless. */
final class Paths
{
    private Paths()
    {
    }

    /**
     * Diagnoses a path that the device rejected.
     *
     * @param context context of the device.
     * @param path    path, already checked by {@code PathRules}.
     * @return text for the end of a message.
     */
    static String describe(final Context context, final AddressHandleAttributes path)
    {
        final String device = context.device() + " port " + path.portNum();
        final PortAttributes port = context.queryPort(path.portNum());
        if (port.state != PortState.ACTIVE)
        {
            return device + " is " + port.state + ", not ACTIVE; is the cable in, the interface up?";
        }
        if (!path.global())
        {
            return port.linkLayer == LinkLayer.ETHERNET ?
                "paths on Ethernet require the global route header (is_global) with the peer's GID" :
                "no path to LID " + path.dlid() + " by " + device;
        }
        final Gid source = context.queryGid(path.portNum(), path.sgidIndex());
        final String pair = "no path from GID " + path.sgidIndex() + " (" + source + ") of " + device + " to " +
            path.dgid();
        if (source.equals(Gid.ZERO))
        {
            return pair + ": that entry of the GID table is empty; choose another index";
        }
        if (source.isIpv4Mapped() != path.dgid().isIpv4Mapped() || source.isLinkLocal() != path.dgid().isLinkLocal())
        {
            return pair + ": their types differ; choose GID indices of the same type on both sides";
        }
        return pair + "; is the peer's address reachable (ping), and are both on the same network?";
    }
}
