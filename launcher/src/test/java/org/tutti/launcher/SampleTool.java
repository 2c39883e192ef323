/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command as the modules above bring them. */
@Command(name = "sample-tool", mixinStandardHelpOptions = true, description = "Says which process it is.")
public final class SampleTool implements ToolCommand
{
    @Option(names = "--code", description = "To end with.")
    private int code;

    @Override
    public Integer call()
    {
        System.out.println("rank " + System.getenv("RANK") + " of " + System.getenv("WORLD_SIZE"));
        return code;
    }
}
