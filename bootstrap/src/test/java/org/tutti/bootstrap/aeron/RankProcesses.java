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

/** Starts ranks as processes, and reads their output. */
final class RankProcesses
{
    private static final long TIMEOUT_S = 60;

    private RankProcesses()
    {
    }

    /** Starts a process that is killed after a minute. */
    static Process start(final Class<?> main, final Map<String, String> environment, final String... arguments)
    {
        return start(List.of(), System.getProperty("java.class.path"), main, environment, arguments);
    }

    /** As above, with a command prefix and a class path. */
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
            // The options of jvm.options that the bootstrap needs.
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
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
            // Releases a thread that reads the output of a hanging process, or waits for its end.
            CompletableFuture.delayedExecutor(TIMEOUT_S, TimeUnit.SECONDS).execute(process::destroyForcibly);
            return process;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the complete output of a process, after its end. */
    static String output(final Process process) throws Exception
    {
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** Reads up to a line that contains a text. */
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
        throw new AssertionError("process " + process.pid() + " ended without printing '" + text + "'");
    }
}
