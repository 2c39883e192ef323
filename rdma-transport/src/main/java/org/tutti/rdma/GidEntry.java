/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * An entry of a port's GID table ({@code ibv_gid_entry}).
 *
 * @param gid            never {@link Gid#ZERO}.
 * @param index          index in the table, counted from 0.
 * @param portNum        the port, counted from 1.
 * @param type           packet format that the GID selects.
 * @param interfaceIndex index of the network interface that the GID belongs to, 0 if there is none.
 */
public record GidEntry(Gid gid, int index, int portNum, GidType type, int interfaceIndex)
{
}
