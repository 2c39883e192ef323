/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.launcher.JobCommand;
import org.tutti.launcher.Suggestion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.Map;

/** {@code tutti example NAME}: runs one of the tutorial's programs; without a name, lists them. */
@Command(
    name = "example",
    mixinStandardHelpOptions = true,
    description = "Runs a program of the verbs tutorial; without a name, lists them.",
    synopsisSubcommandLabel = "[NAME [OPTION]...]",
    commandListHeading = "%nExamples:%n",
    footer = {
        "",
        "  tutti example verbs-5                    both sides in one process",
        "  tutti example read-write --listen        one side",
        "  tutti example read-write --connect HOST  the other, on this host or another"},
    subcommands = {
        Exercise1Devices.class,
        Exercise2Gids.class,
        Exercise3MemoryRegions.class,
        Exercise4CompletionQueues.class,
        Exercise5Opcodes.class,
        Exercise6AsyncEvents.class,
        Exercise7SharedReceiveQueue.class,
        Exercise8Datagrams.class,
        ReadWrite.class,
        RemoteMemory.class,
        RingBuffer.class,
        WriteNotification.class,
        Pingpong.class,
    })
public final class ExampleCommand implements JobCommand
{
    @Spec
    private CommandSpec spec;

    // Receives an unknown name, so that the error can list the known ones.
    @Parameters(hidden = true, arity = "0..1")
    private String unknown;

    /** Required by {@link java.util.ServiceLoader}. */
    public ExampleCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        if (unknown != null)
        {
            final Map<String, CommandLine> examples = spec.subcommands();
            throw new ParameterException(spec.commandLine(), "unknown example '" + unknown + "': must be one of " +
                String.join(", ", examples.keySet()) + Suggestion.hint(unknown, examples.keySet()));
        }
    }

    @Override
    public Integer call()
    {
        check(1);
        final PrintWriter out = spec.commandLine().getOut();
        spec.subcommands().forEach((name, example) -> out.printf("%-20s %s%n", name,
            String.join(" ", example.getCommandSpec().usageMessage().description())));
        out.flush();
        return 0;
    }
}
