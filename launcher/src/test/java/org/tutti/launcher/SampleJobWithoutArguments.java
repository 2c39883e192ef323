/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import org.tutti.launcher.io.UsageException;
import picocli.CommandLine.Command;

/** A job without arguments, which ends as its environment specifies. */
@Command(name = "sample-job-without-arguments", mixinStandardHelpOptions = true, description = "Ends.")
public final class SampleJobWithoutArguments implements JobCommand
{
    @Override
    public boolean hasArguments()
    {
        return false;
    }

    @Override
    public Integer call()
    {
        return switch (System.getenv("SAMPLE_END"))
        {
            case "null" -> null;
            case "usage" -> throw new UsageException("invalid request");
            case "failure" -> throw new IllegalStateException("broken");
            default -> Integer.valueOf(System.getenv("SAMPLE_END"));
        };
    }
}
