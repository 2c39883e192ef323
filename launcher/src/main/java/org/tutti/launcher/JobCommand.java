/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.concurrent.Callable;

/**
 * A job that comes with Tutti and is run by name: {@code tutti run -np 2 perf allreduce} starts two ranks, each of
 * which runs the job called {@code perf} with the argument {@code allreduce}.
 * <p>
 * Implementations are picocli commands (annotated with {@code picocli.CommandLine.Command}, which gives the name, the
 * summary and the options) with a public no-argument constructor, found by {@link java.util.ServiceLoader}. Their class
 * is called after them ({@link #nameOf}). What {@code call} returns is the rank's exit code: 0, 1 for a failure, 2 for
 * bad usage. A subcommand of such a command may be one too: the innermost that the user names is checked and called.
 */
public interface JobCommand extends Callable<Integer>
{
    /**
     * Checks what parsing alone does not: values that depend on each other, files, and the number of ranks. The
     * launcher calls it on the parsed command before it starts a rank, so that an error is reported once. A rank that
     * another launcher started runs {@code call} without it.
     *
     * @param size the number of ranks of the job, at least 1.
     * @throws picocli.CommandLine.ParameterException naming the option, its value and the valid values.
     */
    default void check(final int size)
    {
    }

    /**
     * The name of a job, which must also be that of its annotation: {@code PerfCommand} and {@code PerfJob} are {@code
     * perf}, {@code MyOwnJob} is {@code my-own}. To find a job by annotation, a rank would read those of all jobs.
     *
     * @param type the class of the job.
     * @return its simple name without Job or Command, in lower case, with hyphens between words.
     */
    static String nameOf(final Class<? extends JobCommand> type)
    {
        // Each rank starts with this, for each job: regular expressions would take some milliseconds.
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

    private static boolean isLowerOrDigit(final char letter)
    {
        return Character.isLowerCase(letter) || Character.isDigit(letter);
    }

    /**
     * Whether there are options, arguments or subcommands. A job that has none, called without arguments, starts
     * sooner: its annotations are not read then, and {@link #check} is not called.
     *
     * @return true unless overridden.
     */
    default boolean takesWords()
    {
        return true;
    }
}
