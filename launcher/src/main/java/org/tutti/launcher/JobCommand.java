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
     * Checks what parsing alone does not: values that depend on each other, files, what a number of ranks allows. The
     * launcher calls it on the parsed command before it starts anything, so that what is wrong is said once. A rank
     * that something else started comes to {@code call} without it.
     *
     * @param size how many ranks the job will have, at least 1.
     * @throws picocli.CommandLine.ParameterException naming the option, its value and what it may be.
     */
    default void check(final int size)
    {
    }

    /**
     * By what name a job is found, which is that of its annotation too: {@code PerfCommand} and {@code PerfJob} are
     * {@code perf}, {@code MyOwnJob} is {@code my-own}. To find it by its annotation, a rank would read those of all.
     *
     * @param type of the job.
     * @return its simple name without Job or Command, in small letters, with hyphens between words.
     */
    static String nameOf(final Class<? extends JobCommand> type)
    {
        // Every rank begins with this, for every job: regular expressions would take it some milliseconds.
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
     * Whether there are options, arguments or subcommands. A job that has none, called without a word, begins sooner:
     * nobody reads its annotations then, sets what they ask for, or calls {@link #check}.
     */
    default boolean takesWords()
    {
        return true;
    }
}
