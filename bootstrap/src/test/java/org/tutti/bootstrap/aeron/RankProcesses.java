/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Starts ranks as processes, and reads what they say. */
final class RankProcesses
{
    private static final long TIMEOUT_S = 60;

    private RankProcesses()
    {
    }

    /** Starts one that is killed when it takes longer than a minute. */
    static Process start(final Class<?> main, final Map<String, String> environment, final String... arguments)
    {
        return start(List.of(), System.getProperty("java.class.path"), main, environment, arguments);
    }

    /** The same by a command that goes before it, with that class path. */
    static Process start(
        final List<String> prefix,
        final String classPath,
        final Class<?> main,
        final Map<String, String> environment,
        final String... arguments)
    {
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Of jvm.options only what the bootstrap needs.
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            classPath,
            main.getName()));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try
        {
            final Process process = builder.start();
            // A thread that reads what a hanging process says, or waits for its end, goes on then.
            CompletableFuture.delayedExecutor(TIMEOUT_S, TimeUnit.SECONDS).execute(process::destroyForcibly);
            return process;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Everything that it printed, once it has ended. */
    static String output(final Process process) throws Exception
    {
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** Reads up to a line with that text. */
    static void awaitLine(final Process process, final String text) throws IOException
    {
        final StringBuilder line = new StringBuilder();
        for (int c = process.getInputStream().read(); c >= 0; c = process.getInputStream().read())
        {
            line.append((char)c);
            if (c == '\n')
            {
                if (line.indexOf(text) >= 0)
                {
                    return;
                }
                line.setLength(0);
            }
        }
        throw new AssertionError("process " + process.pid() + " ended without saying '" + text + "'");
    }
}
