/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

/** Where the peers of a rank are, as far as known when it chooses a network interface. */
public enum PeerLocation
{
    /** All peers are on this host. */
    THIS_HOST,
    /** Some peers are on other hosts. */
    OTHER_HOSTS,
    /** Not known. */
    UNKNOWN;

    /**
     * The location of the peers of a job.
     *
     * @param isOneHost whether all ranks are on this host.
     * @return the location.
     */
    public static PeerLocation of(final boolean isOneHost)
    {
        return isOneHost ? THIS_HOST : OTHER_HOSTS;
    }
}
