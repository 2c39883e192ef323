/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.Map;

import org.tutti.launcher.io.UsageException;

/**
 * The options of {@code tutti run} for the transport, and the RDMA port or network interface, that ranks use. They set
 * variables, which ranks validate.
 */
final class PortOptions
{
    private static final String TRANSPORT = "--transport";
    private static final String DEVICE = "--device";
    private static final String GID_INDEX = "--gid-index";

    private PortOptions()
    {
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .text("NAME", "Transport between ranks: one verbs provider, such as shm or verbs, or one for intra-host " +
                "and one for inter-host traffic, such as shm+verbs (default: chosen by the placement). Sets " +
                "TUTTI_TRANSPORT.", TRANSPORT)
            .text("NAME[:PORT][,...]", "Device, and its port; or for TCP the name, an address or the network of a " +
                "network interface, such as tcp:eth0 or tcp:10.1.0.0/16. Several are assigned round-robin to the " +
                "ranks of a host. Sets TUTTI_DEVICE; tutti devices lists the devices.", DEVICE)
            .text("N", "Index in the port's GID table. Sets TUTTI_GID_INDEX.", GID_INDEX);
    }

    /** Adds the values of these options to the environment of ranks. */
    static void putInto(final Map<String, String> environment, final OptionBuilder options)
    {
        put(environment, TRANSPORT, "TUTTI_TRANSPORT", options.valueOf(TRANSPORT));
        put(environment, DEVICE, "TUTTI_DEVICE", options.valueOf(DEVICE));
        put(environment, GID_INDEX, "TUTTI_GID_INDEX", options.valueOf(GID_INDEX));
    }

    private static void put(
        final Map<String, String> environment, final String option, final String variable, final String value)
    {
        final String other = value == null ? null : environment.put(variable, value);
        if (other != null && !other.equals(value))
        {
            throw new UsageException(option + " " + value + " and -x " + variable + "=" + other +
                " conflict: give one of them");
        }
    }
}
