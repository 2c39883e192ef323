/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.Map;

import org.tutti.launcher.io.UsageException;

/** Which port ranks use: options for what is else set by the environment. The ranks check what they name. */
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
            .text("NAME", "How ranks reach each other: by one provider of verbs, such as shm or verbs, or by one " +
                "within hosts and one between them, such as shm+verbs (default: what suits where they are). Sets " +
                "TUTTI_TRANSPORT.", TRANSPORT)
            .text("NAME[:PORT][,...]", "The device that ranks use, and its port; of several the ranks of a host take " +
                "one after the other. Sets TUTTI_DEVICE; tutti devices shows what there is.", DEVICE)
            .text("N", "The entry of the port's GID table that ranks use. Sets TUTTI_GID_INDEX.", GID_INDEX);
    }

    /** Adds what was given to what ranks find in their environment. */
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
