/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option for the timeout of an example. */
public final class TimeoutOption
{
    private static final int MAX_SECONDS = 86_400;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "60",
        description = "Time to wait for the other side (default: ${DEFAULT-VALUE}).")
    private int seconds;

    /** Required by picocli. */
    public TimeoutOption()
    {
    }

    /**
     * Validates the timeout.
     *
     * @param spec command specification, for the error.
     */
    public void check(final CommandSpec spec)
    {
        OptionRules.require(
            spec, seconds >= 1 && seconds <= MAX_SECONDS, "--timeout=" + seconds, "must be from 1 to " + MAX_SECONDS);
    }

    /**
     * Maximum time to wait for the other side.
     *
     * @return seconds, from 1 to a day.
     */
    public int seconds()
    {
        return seconds;
    }
}
