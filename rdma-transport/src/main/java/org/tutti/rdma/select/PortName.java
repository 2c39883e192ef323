/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

/**
 * A port as named by the user.
 *
 * @param device the name of its device.
 * @param port   number of the port, counted from 1; 0 for any.
 */
public record PortName(String device, int port)
{
    boolean isOf(final PortDescription description)
    {
        return description.device().equals(device) && (port == 0 || description.number() == port);
    }

    @Override
    public String toString()
    {
        return port == 0 ? device : device + ":" + port;
    }
}
