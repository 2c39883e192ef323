/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.concurrent.Callable;

/**
 * A built-in job, run by name: {@code tutti run -np 2 perf allreduce} starts two ranks that run the job {@code perf}
 * with the argument {@code allreduce}.
 * <p>
 * Implementations are picocli commands (annotated with {@code picocli.CommandLine.Command}, which gives the name, the
 * summary and the options) with a public no-argument constructor, found by {@link java.util.ServiceLoader}. The name of
 * the class determines that of the job ({@link #nameOf}). {@code call} returns the rank's exit code: 0 for success, 1
 * for a failure, 2 for a command-line error. Subcommands may be job commands too: the innermost one that the user names
 * is checked and called.
 */
public interface JobCommand extends Callable<Integer>
{
    /**
     * Checks what parsing does not: values that depend on each other, files, and the number of ranks. The launcher
     * calls this method on the parsed command before it starts a rank, so that an error is reported once. A rank that
     * another launcher started runs {@code call} without this check.
     *
     * @param size the number of ranks of the job, at least 1.
     * @throws picocli.CommandLine.ParameterException naming the option, its value and the valid values.
     */
    default void check(final int size)
    {
    }

    /**
     * Derives the name of a job from its class: {@code PerfCommand} and {@code PerfJob} give {@code perf}, {@code
     * MyOwnJob} gives {@code my-own}. The annotation must give the same name. To find a job by annotation, a rank would
     * have to read the annotations of all jobs.
     *
     * @param type the class of the job.
     * @return the simple class name without Job or Command, in lower case, with hyphens between words.
     */
    static String nameOf(final Class<? extends JobCommand> type)
    {
        // Each rank runs this for each job at its start: regular expressions would take some milliseconds.
        final String whole = type.getSimpleName();
        final int end = whole.endsWith("Job") ? whole.length() - "Job".length() :
            whole.endsWith("Command") ? whole.length() - "Command".length() : whole.length();
        final StringBuilder name = new StringBuilder();
        for (int i = 0; i < end; i++)
        {
            final char letter = whole.charAt(i);
            if (i > 0 && Character.isUpperCase(letter) && isLowerOrDigit(whole.charAt(i - 1)))
            {
                name.append('-');
            }
            name.append(Character.toLowerCase(letter));
        }
        return name.toString();
    }

    /**
     * Returns the jars that the ranks of this job need besides Tutti's. The launcher calls this method after it has
     * checked the arguments, on a job that has not parsed them, and passes the paths to the ranks on all hosts; this is
     * the time to download what is missing. Ranks that another launcher starts get none.
     *
     * @return paths separated by colons; empty unless overridden.
     * @throws IllegalStateException if a jar is missing; the message names the fix.
     */
    default String classPath()
    {
        return "";
    }

    private static boolean isLowerOrDigit(final char letter)
    {
        return Character.isLowerCase(letter) || Character.isDigit(letter);
    }

    /**
     * Returns whether this job has options, arguments or subcommands. A job that has none of them, called without
     * arguments, starts faster: its annotations are not read, and {@link #check} is not called.
     *
     * @return true unless overridden.
     */
    default boolean hasArguments()
    {
        return true;
    }
}
