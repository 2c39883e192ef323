/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.net.InetAddress;

/**
 * A network interface, whether it can be used, and why it is chosen or not.
 *
 * @param index    index among the interfaces.
 * @param address  address that would be used; null if none can.
 * @param isUsable whether it can be used and is not excluded by the request.
 * @param why      reason why it is chosen, or is not; empty before the choice.
 */
record InterfaceCandidate(int index, InetAddress address, boolean isUsable, String why)
{
    InterfaceCandidate because(final String reason)
    {
        return new InterfaceCandidate(index, address, isUsable, reason);
    }
}
