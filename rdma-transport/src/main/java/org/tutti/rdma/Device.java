/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** An RDMA device that can be opened ({@code ibv_device}). Thread-safe. */
public interface Device
{
    /**
     * The device's name.
     *
     * @return such as {@code mlx5_0}, {@code rxe0} or {@code shm0}.
     */
    String name();

    /**
     * What kind of node it makes this host.
     *
     * @return never null.
     */
    NodeType nodeType();

    /**
     * The protocol it speaks.
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
     * Opens the device ({@code ibv_open_device}).
     *
     * @return a context, owned by the caller, who closes it.
     * @throws RdmaException if it cannot be opened.
     */
    Context open();
}
