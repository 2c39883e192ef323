/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs programs one at a time. Ends a program and its children when this process is to exit or the time limit expires.
 * Not thread-safe.
 *
 * @param scratch directory of this run, for the programs' output.
 * @param limit   time limit of each run.
 * @param stop    handler that ends the running program when this process is to exit.
 */
record Commands(Path scratch, Duration limit, ShutdownHandler stop)
{
    private static final int LAST_LINES = 20;

    /** Whether a program is on the PATH. */
    static boolean isThere(final String name)
    {
        final String path = System.getenv("PATH");
        return path != null && Stream.of(path.split(":", -1)).filter(each -> !each.isEmpty())
            .anyMatch(each -> Files.isExecutable(Path.of(each, name)) && !Files.isDirectory(Path.of(each, name)));
    }

    /** A copy with another limit. */
    Commands within(final Duration other)
    {
        return new Commands(scratch, other, stop);
    }

    /**
     * Runs a program to completion, in its own session: Ctrl-C in a terminal reaches only this process, which then ends
     * the program as {@link ShutdownHandler#end} does.
     *
     * @return standard output of the program.
     * @throws SuiteException       if the program cannot be run, exceeds the limit, or exits with a code other than 0;
     *                              the message ends with the program's last lines of output.
     * @throws InterruptedException if this process is to exit; the program has ended by then.
     */
    String run(final List<String> command) throws InterruptedException
    {
        final Path out = scratch.resolve("stdout");
        final Path err = scratch.resolve("stderr");
        final boolean hasEnded;
        final int code;
        try
        {
            final List<String> words = new ArrayList<>(isThere("setsid") ? List.of("setsid") : List.of());
            words.addAll(command);
            final Process process = new ProcessBuilder(words)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile()).redirectError(err.toFile()).start();
            stop.watch(process);
            hasEnded = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            ShutdownHandler.end(process);
            code = process.waitFor();
        }
        catch (final IOException ex)
        {
            // Ctrl-C also reaches a child process that has no session of its own yet, and can make its start fail.
            if (stop.isAskedSoon())
            {
                throw new InterruptedException("stopped");
            }
            throw new SuiteException("cannot run " + command.getFirst() + ": " + ex.getMessage(), ex);
        }
        finally
        {
            stop.watch(null);
        }
        // The signal that ended the program may reach this process slightly later.
        if (code == 0 ? stop.isAsked() : stop.isAskedSoon())
        {
            throw new InterruptedException("stopped");
        }
        final String text = read(out);
        if (!hasEnded || code != 0)
        {
            throw new SuiteException((hasEnded ? "exit code " + code : "timeout after " + limit.toSeconds() +
                " s (--limit)") + " of " + String.join(" ", command) + "\n" + lastLines(text + read(err)));
        }
        return text;
    }

    private static String read(final Path file)
    {
        try
        {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new SuiteException("cannot read " + file + ": " + ex.getMessage(), ex);
        }
    }

    static String lastLines(final String text)
    {
        final List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }
}
