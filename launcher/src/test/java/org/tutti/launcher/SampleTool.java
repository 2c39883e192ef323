/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A tool command like those of the modules that depend on this one. */
@Command(name = "sample-tool", mixinStandardHelpOptions = true, description = "Prints the rank of its process.")
public final class SampleTool implements ToolCommand
{
    @Option(names = "--code", description = "Exit code.")
    private int code;

    @Override
    public Integer call()
    {
        System.out.println("rank " + System.getenv("RANK") + " of " + System.getenv("WORLD_SIZE"));
        return code;
    }
}
