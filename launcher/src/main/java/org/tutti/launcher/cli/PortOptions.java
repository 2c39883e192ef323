/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.Map;

import org.tutti.launcher.io.UsageException;

/** The options of {@code tutti run} for the port that ranks use: they set variables, whose values ranks check. */
final class PortOptions
{
    private static final String TRANSPORT = "--transport";
    private static final String DEVICE = "--device";
    private static final String GID_INDEX = "--gid-index";

    private PortOptions()
    {
    }

    static void addTo(final CodedOptions options)
    {
        options
            .text("NAME", "The transport between ranks: one provider of verbs, such as shm or verbs, or one within " +
                "hosts and one between them, such as shm+verbs (default: chosen by the hosts of the ranks). Sets " +
                "TUTTI_TRANSPORT.", TRANSPORT)
            .text("NAME[:PORT][,...]", "The device that ranks use, and its port; of several, the ranks of a host " +
                "take one each in turn. Sets TUTTI_DEVICE; tutti devices lists the devices.", DEVICE)
            .text("N", "The entry of the port's GID table that ranks use. Sets TUTTI_GID_INDEX.", GID_INDEX);
    }

    /** Adds the values of these options to the environment of ranks. */
    static void putInto(final Map<String, String> environment, final CodedOptions options)
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
                " contradict each other: give one of them");
        }
    }
}
