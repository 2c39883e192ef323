/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** How commands refuse values of their options: all in the same words. Stateless. */
public final class OptionRules
{
    private OptionRules()
    {
    }

    /**
     * Refuses a value unless it is good.
     *
     * @param spec   of the command, for the error.
     * @param isGood whether it is.
     * @param given  what the user gave: option and value, such as {@code --size=0}.
     * @param rule   what would be good, such as {@code must be at least 1}.
     * @throws ParameterException if it is not good.
     */
    public static void require(final CommandSpec spec, final boolean isGood, final String given, final String rule)
    {
        if (!isGood)
        {
            throw new ParameterException(spec.commandLine(), given + ": " + rule);
        }
    }
}
