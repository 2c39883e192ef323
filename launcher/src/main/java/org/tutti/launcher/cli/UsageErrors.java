/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.io.PrintWriter;
import java.util.Set;

import org.tutti.launcher.Nearest;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.io.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a wrong command line or a failed command: one line, with a pointer to the help. Stateless. */
final class UsageErrors
{
    private UsageErrors()
    {
    }

    /** Sets how a command line, and all of its subcommands, report their errors and their version. */
    static CommandLine install(final CommandLine commandLine)
    {
        setVersion(commandLine);
        // A word that starts with '@' belongs to the command that is run.
        return commandLine
            .setExpandAtFiles(false)
            .setParameterExceptionHandler((ex, arguments) -> report(ex))
            .setExecutionExceptionHandler((ex, failed, result) ->
                report(failed.getCommandSpec().qualifiedName(), failed.getErr(), ex));
    }

    /** Jobs and tools have the version of Tutti. */
    private static void setVersion(final CommandLine commandLine)
    {
        commandLine.getCommandSpec().versionProvider(new Main.Version());
        commandLine.getSubcommands().values().forEach(UsageErrors::setVersion);
    }

    /** Reports an error of the command line, with the nearest valid word if one is near; returns the exit code. */
    static int report(final ParameterException ex)
    {
        final CommandLine commandLine = ex.getCommandLine();
        String text = lineOf(ex.getMessage());
        if (ex instanceof UnmatchedArgumentException unmatched)
        {
            final String word = unmatched.getUnmatched().getFirst();
            final CommandSpec spec = commandLine.getCommandSpec();
            final Set<String> commands = spec.subcommands().keySet();
            if (word.startsWith("-"))
            {
                text = "unknown option '" + word + "'" +
                    Nearest.hint(word.split("=", 2)[0], spec.optionsMap().keySet());
            }
            else
            {
                text = "unknown " + (commands.isEmpty() ? "argument" : "command") + " '" + word + "'" +
                    Nearest.hint(word, commands);
            }
        }
        final String name = commandLine.getCommandSpec().qualifiedName();
        say(name, commandLine.getErr(), text + " (" + name + " --help shows what there is)");
        return ExitCode.USAGE;
    }

    /** Reports why a command failed; returns the exit code. */
    static int report(final String command, final PrintWriter err, final Exception ex)
    {
        if (ex instanceof UsageException)
        {
            say(command, err, ex.getMessage());
            return ExitCode.USAGE;
        }
        // Messages of Tutti's exceptions are complete; others need their stack trace.
        final boolean isComplete = ex.getClass().getName().startsWith("org.tutti.");
        if (isComplete && System.getenv("TUTTI_STACK_TRACES") == null)
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

    private static void say(final String command, final PrintWriter err, final String text)
    {
        err.println(command + ": " + text);
        err.flush();
    }

    /** The first line, as a part of a sentence. */
    static String lineOf(final String message)
    {
        final String line = message == null ? "" : message.lines().findFirst().orElse("").strip();
        if (line.isEmpty())
        {
            return "wrong command line";
        }
        // TUTTI_ALGORITHM, say, stays as it is.
        final boolean isName = line.length() > 1 && Character.isUpperCase(line.charAt(1));
        return isName ? line : Character.toLowerCase(line.charAt(0)) + line.substring(1);
    }
}
