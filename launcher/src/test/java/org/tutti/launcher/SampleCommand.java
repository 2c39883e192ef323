/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A job like those of the modules that depend on this one. */
@Command(name = "sample", mixinStandardHelpOptions = true, description = "Prints its rank.")
public final class SampleCommand implements JobCommand
{
    @Option(names = "--words", description = "Words to print.")
    private String words;

    @Spec
    private CommandSpec spec;

    @Override
    public void check(final int size)
    {
        if ("alone".equals(words) && size > 1)
        {
            throw new ParameterException(spec.commandLine(), "--words=alone: needs 1 rank, not " + size);
        }
    }

    @Override
    public Integer call()
    {
        System.out.println("rank " + System.getenv("RANK") + " of " + System.getenv("WORLD_SIZE") + ": " + words);
        return 0;
    }
}
