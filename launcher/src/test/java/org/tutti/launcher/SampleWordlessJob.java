/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import org.tutti.launcher.io.UsageException;
import picocli.CommandLine.Command;

/** A job that takes no words, and ends as the environment says. */
@Command(name = "sample-wordless", mixinStandardHelpOptions = true, description = "Ends.")
public final class SampleWordlessJob implements JobCommand
{
    @Override
    public boolean takesWords()
    {
        return false;
    }

    @Override
    public Integer call()
    {
        return switch (System.getenv("SAMPLE_END"))
        {
            case "null" -> null;
            case "usage" -> throw new UsageException("not so");
            case "failure" -> throw new IllegalStateException("broken");
            default -> Integer.valueOf(System.getenv("SAMPLE_END"));
        };
    }
}
