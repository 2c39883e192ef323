/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Map;

import picocli.CommandLine.Option;

/** Which port ranks use: options for what is else set by the environment. The ranks check what they name. */
final class PortOptions
{
    @Option(names = "--transport", paramLabel = "NAME",
        description = "How ranks reach each other: by one provider of verbs, such as shm or verbs, or by one within " +
            "hosts and one between them, such as shm+verbs (default: what suits where they are). Sets " +
            "TUTTI_TRANSPORT.")
    private String transport;

    @Option(names = "--device", paramLabel = "NAME[:PORT][,...]",
        description = "The device that ranks use, and its port; of several the ranks of a host take one after the " +
            "other. Sets TUTTI_DEVICE; tutti devices shows what there is.")
    private String device;

    @Option(names = "--gid-index", paramLabel = "N",
        description = "The entry of the port's GID table that ranks use. Sets TUTTI_GID_INDEX.")
    private String gidIndex;

    /** Adds what was given to what ranks find in their environment. */
    void putInto(final Map<String, String> environment)
    {
        put(environment, "--transport", "TUTTI_TRANSPORT", transport);
        put(environment, "--device", "TUTTI_DEVICE", device);
        put(environment, "--gid-index", "TUTTI_GID_INDEX", gidIndex);
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
