/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A path to a port ({@code ibv_ah_attr}).
 *
 * @param global   whether the global route header is used (always on Ethernet).
 * @param dgid     the destination's GID.
 * @param sgidIndex which of this port's GIDs is the source.
 * @param hopLimit of the global route header.
 * @param dlid     the destination's LID, 0 on Ethernet.
 * @param serviceLevel from 0 to 15.
 * @param portNum  the port to leave by, counted from 1.
 */
public record AddressHandleAttributes(
    boolean global, Gid dgid, int sgidIndex, int hopLimit, int dlid, int serviceLevel, int portNum)
{
    /** No path. */
    public static final AddressHandleAttributes NONE = new AddressHandleAttributes(false, Gid.ZERO, 0, 0, 0, 0, 1);
}
