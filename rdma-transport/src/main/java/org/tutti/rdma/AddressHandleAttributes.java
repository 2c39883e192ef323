/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A path to a port ({@code ibv_ah_attr}).
 *
 * @param global         whether the global route header is used (always on Ethernet).
 * @param dgid           the destination's GID.
 * @param flowLabel      flow label of the global route header, 20 bits.
 * @param sgidIndex      index of the source GID in the port's table.
 * @param hopLimit       hop limit of the global route header.
 * @param trafficClass   traffic class of the global route header, 8 bits.
 * @param dlid           the destination's LID, 0 on Ethernet.
 * @param serviceLevel   service level, from 0 to 15.
 * @param sourcePathBits the low bits of the source's LID.
 * @param staticRate     maximum packet rate ({@code ibv_rate}), 0 for the port's full rate.
 * @param portNum        the outgoing port, counted from 1.
 */
public record AddressHandleAttributes(
    boolean global, Gid dgid, int flowLabel, int sgidIndex, int hopLimit, int trafficClass, int dlid, int serviceLevel,
    int sourcePathBits, int staticRate, int portNum)
{
    /** No path. */
    public static final AddressHandleAttributes NONE = new AddressHandleAttributes(false, Gid.ZERO, 0, 0, 0, 0, 1);

    /**
     * Describes a path by its endpoints; all other fields are 0.
     *
     * @param global       whether the global route header is used (always on Ethernet).
     * @param dgid         the destination's GID.
     * @param sgidIndex    index of the source GID in the port's table.
     * @param hopLimit     hop limit of the global route header.
     * @param dlid         the destination's LID, 0 on Ethernet.
     * @param serviceLevel service level, from 0 to 15.
     * @param portNum      the outgoing port, counted from 1.
     */
    public AddressHandleAttributes(
        final boolean global, final Gid dgid, final int sgidIndex, final int hopLimit, final int dlid,
        final int serviceLevel, final int portNum)
    {
        this(global, dgid, 0, sgidIndex, hopLimit, 0, dlid, serviceLevel, 0, 0, portNum);
    }
}
