/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.io.PrintWriter;
import java.util.List;

import org.tutti.launcher.JobCommand;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.rank.Jobs;
import picocli.CommandLine;

/** Runs built-in jobs in the process of a rank. */
final class JobRunner
{
    private JobRunner()
    {
    }

    /** Returns the command line of a job. */
    static CommandLine commandLine(final String name, final JobCommand job)
    {
        final CommandLine commandLine = new CommandLine(job);
        if (!commandLine.getCommandName().equals(name))
        {
            throw new IllegalStateException(job.getClass() + " is named '" + name + "' by its class, but '" +
                commandLine.getCommandName() + "' by its annotation");
        }
        return UsageErrors.install(commandLine.setCommandName(qualified(name)));
    }

    private static String qualified(final String name)
    {
        return "tutti " + name;
    }

    /**
     * Checks a job's arguments without running it.
     *
     * @param words the job's name and its arguments.
     * @param size  the number of ranks of the job.
     * @return null if the arguments are valid and no help is requested, else the exit code, after the error or the help
     *         was printed.
     */
    static Integer check(final List<String> words, final int size)
    {
        final JobCommand job = Jobs.find(words.getFirst());
        if (isReady(job, words))
        {
            return null;
        }
        final CommandLine commandLine = commandLine(words.getFirst(), job);
        try
        {
            final CommandLine.ParseResult result =
                commandLine.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
            final Integer code = CommandLine.executeHelpRequest(result);
            final CommandLine named = result.asCommandLineList().getLast();
            if (code == null && named.getCommand() instanceof final JobCommand command)
            {
                command.check(size);
            }
            return code;
        }
        catch (final CommandLine.ParameterException ex)
        {
            return UsageErrors.report(ex);
        }
    }

    /**
     * Runs a job in this process, which is a rank of that job.
     *
     * @return the rank's exit code.
     */
    static int run(final JobCommand job, final List<String> words)
    {
        if (isReady(job, words))
        {
            return call(words.getFirst(), job);
        }
        return commandLine(words.getFirst(), job)
            .execute(words.subList(1, words.size()).toArray(String[]::new));
    }

    /** Calls a job as picocli does, but without picocli: an error within picocli could hide the job's failure. */
    private static int call(final String name, final JobCommand job)
    {
        try
        {
            final Integer code = job.call();
            return code == null ? ExitCode.OK : code;
        }
        catch (final CommandLine.ParameterException ex)
        {
            return UsageErrors.report(ex);
        }
        catch (final Exception ex)
        {
            return UsageErrors.report(
                qualified(name), new PrintWriter(System.err, true, System.err.charset()), ex);
        }
    }

    /** Returns whether a job can be called without parsing: it takes no arguments and is given none. */
    private static boolean isReady(final JobCommand job, final List<String> words)
    {
        return words.size() == 1 && !job.hasArguments();
    }
}
