/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.PrintWriter;
import java.util.List;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said when a command line is wrong or a command fails: one line, and where to read on. */
final class UsageErrors
{
    private UsageErrors()
    {
    }

    /** Makes a command line say its errors our way. */
    static CommandLine install(final CommandLine commandLine)
    {
        return commandLine
            .setParameterExceptionHandler((ex, arguments) -> report(ex))
            .setExecutionExceptionHandler((ex, failed, result) -> report(failed, ex));
    }

    /** Says what is wrong with a command line, with the nearest right word if one is near; returns the exit code. */
    static int report(final ParameterException ex)
    {
        final CommandLine commandLine = ex.getCommandLine();
        final StringBuilder text = new StringBuilder(lineOf(ex.getMessage()));
        if (ex instanceof UnmatchedArgumentException unmatched)
        {
            final List<String> near = unmatched.getSuggestions();
            text.setLength(0);
            text.append("unknown ").append(unmatched.isUnknownOption() ? "option" : "argument").append(" '")
                .append(unmatched.getUnmatched().getFirst()).append('\'');
            if (!near.isEmpty())
            {
                text.append("; did you mean '").append(near.getFirst()).append("'?");
            }
        }
        say(commandLine, text.toString());
        return ExitCode.USAGE;
    }

    private static int report(final CommandLine commandLine, final Exception ex)
    {
        if (ex instanceof UsageException)
        {
            say(commandLine, ex.getMessage());
            return ExitCode.USAGE;
        }
        final PrintWriter err = commandLine.getErr();
        // Our own exceptions are written for people; of any other, only the place where it arose says what it means.
        if (ex.getClass().getName().startsWith("org.tutti.") && System.getenv("TUTTI_STACK_TRACES") == null)
        {
            err.println(name() + ex.getMessage());
        }
        else
        {
            err.print(name());
            ex.printStackTrace(err);
        }
        err.flush();
        return ExitCode.FAILURE;
    }

    private static String name()
    {
        final String rank = System.getenv("RANK");
        return rank == null ? "tutti: " : "tutti: rank " + rank + ": ";
    }

    private static void say(final CommandLine commandLine, final String text)
    {
        final String name = commandLine.getCommandSpec().qualifiedName();
        commandLine.getErr().println(name + ": " + text + " (" + name + " --help shows what there is)");
        commandLine.getErr().flush();
    }

    private static String lineOf(final String message)
    {
        return message == null ? "wrong command line" : message.lines().findFirst().orElse("").strip();
    }
}
