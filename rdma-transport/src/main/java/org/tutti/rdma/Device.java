/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.util.Map;

/** An RDMA device that can be opened ({@code ibv_device}). Thread-safe. */
public interface Device
{
    /**
     * The device's name.
     *
     * @return a name such as {@code mlx5_0}, {@code rxe0} or {@code shm0}.
     */
    String name();

    /**
     * The type of node.
     *
     * @return never null.
     */
    NodeType nodeType();

    /**
     * The transport protocol of the device.
     *
     * @return never null.
     */
    TransportType transportType();

    /**
     * The node's globally unique identifier ({@code ibv_get_device_guid}), in host byte order.
     *
     * @return an EUI-64.
     */
    long guid();

    /**
     * The settings of the provider that apply to the device.
     *
     * @return values in effect, strings and numbers, by their names; empty if the provider has no settings.
     */
    default Map<String, Object> settings()
    {
        return Map.of();
    }

    /**
     * Opens the device ({@code ibv_open_device}).
     *
     * @return a context, owned by the caller, to be closed after use.
     * @throws RdmaException if the device cannot be opened.
     */
    Context open();
}
