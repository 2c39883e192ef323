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
 * summary and the options) with a public no-argument constructor, found by {@link java.util.ServiceLoader}. What
 * {@code call} returns is the rank's exit code: 0, 1 for a failure, 2 for bad usage. A subcommand of such a command may
 * be one too: the innermost that the user names is checked and called.
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
}
