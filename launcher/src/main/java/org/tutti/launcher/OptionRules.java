/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reports invalid option values, uniformly for all commands. Stateless. */
public final class OptionRules
{
    private OptionRules()
    {
    }

    /**
     * Requires a value to be valid.
     *
     * @param spec   the specification of the command, for the error message.
     * @param isGood whether the value is valid.
     * @param given  the option and its value, as the user gave them, such as {@code --size=0}.
     * @param rule   the rule for valid values, such as {@code must be at least 1}.
     * @throws ParameterException if the value is not valid.
     */
    public static void require(final CommandSpec spec, final boolean isGood, final String given, final String rule)
    {
        if (!isGood)
        {
            throw new ParameterException(spec.commandLine(), given + ": " + rule);
        }
    }
}
