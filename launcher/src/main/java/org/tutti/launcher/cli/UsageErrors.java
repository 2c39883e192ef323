/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.io.PrintWriter;
import java.util.Set;

import org.tutti.launcher.Suggestion;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.io.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports command-line errors and failed commands in one line, with a pointer to the help. Stateless. */
final class UsageErrors
{
    private UsageErrors()
    {
    }

    /** Sets how a command line and all its subcommands report errors and the version. */
    static CommandLine install(final CommandLine commandLine)
    {
        setVersion(commandLine);
        // A word that starts with '@' is an argument of the command.
        return commandLine
            .setExpandAtFiles(false)
            .setParameterExceptionHandler((ex, arguments) -> report(ex))
            .setExecutionExceptionHandler((ex, failed, result) ->
                report(failed.getCommandSpec().qualifiedName(), failed.getErr(), ex));
    }

    /** Gives jobs and tools the version of Tutti. */
    private static void setVersion(final CommandLine commandLine)
    {
        commandLine.getCommandSpec().versionProvider(new Main.Version());
        commandLine.getSubcommands().values().forEach(UsageErrors::setVersion);
    }

    /** Reports a command-line error, with a suggestion if a valid word is similar; returns the exit code. */
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
                    Suggestion.hint(word.split("=", 2)[0], spec.optionsMap().keySet());
            }
            else
            {
                text = "unknown " + (commands.isEmpty() ? "argument" : "command") + " '" + word + "'" +
                    Suggestion.hint(word, commands);
            }
        }
        final String name = commandLine.getCommandSpec().qualifiedName();
        say(name, commandLine.getErr(), text + " (see " + name + " --help)");
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
        // Messages of Tutti's exceptions are self-contained; others need their stack trace.
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

    /** Returns the first line, starting in lower case unless it starts with a name. */
    static String lineOf(final String message)
    {
        final String line = message == null ? "" : message.lines().findFirst().orElse("").strip();
        if (line.isEmpty())
        {
            return "invalid command line";
        }
        // Names such as TUTTI_ALGORITHM stay unchanged.
        final boolean isName = line.length() > 1 && Character.isUpperCase(line.charAt(1));
        return isName ? line : Character.toLowerCase(line.charAt(0)) + line.substring(1);
    }
}
