/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A port's attributes ({@code ibv_port_attr}).
 *
 * @param state          whether it can be used.
 * @param maxMtu         the largest path MTU it allows, in bytes.
 * @param activeMtu      the path MTU in effect, in bytes.
 * @param gidTableLength entries in its GID table.
 * @param maxMessageSize {@code max_msg_sz}, bytes in one message.
 * @param pkeyTableLength entries in its P_Key table.
 * @param lid            local identifier, 0 on Ethernet.
 * @param linkLayer      {@code InfiniBand}, {@code Ethernet} or {@code SharedMemory}.
 */
public record PortAttributes(
    PortState state,
    int maxMtu,
    int activeMtu,
    int gidTableLength,
    long maxMessageSize,
    int pkeyTableLength,
    int lid,
    String linkLayer)
{
}
