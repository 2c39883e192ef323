/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that says how long an example waits for its other side. */
public final class Patience
{
    private static final int MAX_SECONDS = 86_400;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "60",
        description = "How long to wait for the other side (default: ${DEFAULT-VALUE}).")
    private int seconds;

    /** For picocli. */
    public Patience()
    {
    }

    /**
     * Refuses what is out of range.
     *
     * @param spec command specification of the command.
     */
    public void check(final CommandSpec spec)
    {
        OptionRules.require(
            spec, seconds >= 1 && seconds <= MAX_SECONDS, "--timeout=" + seconds, "must be from 1 to " + MAX_SECONDS);
    }

    /**
     * How long to wait.
     *
     * @return seconds, from 1 to those of a day.
     */
    public int seconds()
    {
        return seconds;
    }
}
