/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A job started as by a user, {@code tutti run -np N …}, with real processes. Tests can inspect it while it runs, and
 * afterwards for leftovers.
 */
final class TuttiJob implements AutoCloseable
{
    /** JVM option of ranks: the second compiler takes longer than a short job, or one on emulated processors. */
    static final String FAST_TO_START = "-XX:TieredStopAtLevel=1";
    /** JVM option of ranks that undoes {@link #FAST_TO_START}. */
    static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

    private static final Path SHM = Path.of("/dev/shm");
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    /** File of the JVM options of launchers and ranks. */
    static final Path OPTIONS = options();
    /** Whether the script has built Tutti before the tests: its JVMs have caches, and start faster. */
    static final boolean IS_BUILT = Boolean.getBoolean("tutti.test.built");

    /** Command line of the classes under test. */
    static final List<String> COMMAND = List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
        "@" + OPTIONS, "-Dtutti.rank.options=" + OPTIONS,
        "org.tutti.launcher.cli.Main");

    private final Process launcher;
    private final String mark;
    private final Path output;

    private TuttiJob(final Process launcher, final String mark, final Path output)
    {
        this.launcher = launcher;
        this.mark = mark;
        this.output = output;
    }

    private static Path options()
    {
        try
        {
            final Path options = Files.createTempFile("tutti-e2e-", ".options");
            options.toFile().deleteOnExit();
            final Path common = Path.of(System.getProperty("tutti.root"), "jvm.options");
            return Files.writeString(options, Files.readString(common) + "-cp \"" + CLASS_PATH + "\"\n");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Starts a job with a main class of this module's tests, without the second compiler unless an option says so.
     *
     * @param ranks     number of ranks.
     * @param options   options of {@code tutti run}.
     * @param mainClass main class of the ranks.
     * @param arguments arguments of the main class.
     */
    static TuttiJob start(
        final int ranks, final List<String> options, final Class<?> mainClass, final String... arguments)
        throws IOException
    {
        return start(ranks, Map.of(), options, mainClass, arguments);
    }

    /**
     * Starts a job with additional environment variables of the launcher.
     *
     * @param ranks       number of ranks.
     * @param environment variables to add to the launcher's environment.
     * @param options     options of {@code tutti run}.
     * @param mainClass   main class of the ranks.
     * @param arguments   arguments of the main class.
     */
    static TuttiJob start(
        final int ranks,
        final Map<String, String> environment,
        final List<String> options,
        final Class<?> mainClass,
        final String... arguments)
        throws IOException
    {
        final List<String> all = new ArrayList<>(List.of("-J" + FAST_TO_START));
        all.addAll(options);
        final List<String> words = new ArrayList<>(List.of("-cp", CLASS_PATH, mainClass.getName()));
        words.addAll(List.of(arguments));
        return startCommand(command(ranks, all, words), environment);
    }

    /**
     * Starts a job with any command of {@code tutti run}.
     *
     * @param ranks   number of ranks.
     * @param options options of {@code tutti run}.
     * @param words   command and its arguments.
     */
    static TuttiJob start(final int ranks, final List<String> options, final List<String> words) throws IOException
    {
        return startCommand(command(ranks, options, words), Map.of());
    }

    private static List<String> command(final int ranks, final List<String> options, final List<String> words)
    {
        if (IS_BUILT)
        {
            final List<String> all = new ArrayList<>(List.of("-np", Integer.toString(ranks)));
            all.addAll(options);
            all.addAll(words);
            return script(all);
        }
        final List<String> command = new ArrayList<>(COMMAND);
        command.addAll(List.of("run", "-np", Integer.toString(ranks)));
        command.addAll(options);
        command.addAll(words);
        return command;
    }

    /**
     * Starts a job by the script that users start, which must have been built.
     *
     * @param words words after {@code ./tutti run}.
     */
    static TuttiJob startScript(final List<String> words) throws IOException
    {
        return startCommand(script(words), Map.of());
    }

    private static List<String> script(final List<String> words)
    {
        final List<String> command =
            new ArrayList<>(List.of(Path.of(System.getProperty("tutti.root"), "tutti").toString(), "run"));
        command.addAll(words);
        return command;
    }

    /**
     * Starts a job by any command.
     *
     * @param command     command that starts a launcher.
     * @param environment variables to add to the launcher's environment.
     */
    static TuttiJob startCommand(final List<String> command, final Map<String, String> environment)
        throws IOException
    {
        final String mark = "e2e-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        final Path output = Files.createTempFile("tutti-e2e-", ".out");
        final ProcessBuilder builder = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        builder.environment().put("TUTTI_E2E_MARK", mark);
        builder.environment().putAll(environment);
        if (System.getenv("SOFT_ROCE_HOSTS") != null)
        {
            // On emulated processors a rank may need minutes to start.
            builder.environment().put("TUTTI_JOIN_TIMEOUT", "300s");
        }
        return new TuttiJob(builder.start(), mark, output);
    }

    /** Process of the launcher. */
    ProcessHandle launcher()
    {
        return launcher.toHandle();
    }

    /** Waits for the job to end; returns its exit code, or -1 on timeout. */
    int await(final long timeoutMs) throws InterruptedException
    {
        return launcher.waitFor(timeoutMs, TimeUnit.MILLISECONDS) ? launcher.exitValue() : -1;
    }

    /** Output of the job so far. */
    String output() throws IOException
    {
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    /** Process of a rank, or 0 if there is none now. */
    long pid(final int rank)
    {
        for (final long pid : processes())
        {
            final String environment = environment(pid);
            if (environment.contains("\0RANK=" + rank + "\0") || environment.startsWith("RANK=" + rank + "\0"))
            {
                return pid;
            }
        }
        return 0;
    }

    /** The launcher and its descendants: all processes that inherited its environment. */
    List<Long> processes()
    {
        final List<Long> pids = new ArrayList<>();
        final String[] names = new java.io.File("/proc").list((dir, name) -> Character.isDigit(name.charAt(0)));
        for (final String name : names == null ? new String[0] : names)
        {
            final long pid = Long.parseLong(name);
            if (environment(pid).contains("TUTTI_E2E_MARK=" + mark + "\0"))
            {
                pids.add(pid);
            }
        }
        return pids;
    }

    /** Waits until no process is left; returns those that remain. */
    List<Long> remaining(final long timeoutMs) throws InterruptedException
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        List<Long> pids = processes();
        while (!pids.isEmpty() && System.nanoTime() - deadline < 0)
        {
            Thread.sleep(10);
            pids = processes();
        }
        return pids;
    }

    /** Current shared-memory files of this job, whose names contain the launcher's process. */
    List<String> sharedMemory() throws IOException
    {
        final String name = "tutti-\\d+-" + launcher.pid() + "-.*";
        try (Stream<Path> files = Files.list(SHM))
        {
            return files.map(file -> file.getFileName().toString()).filter(file -> file.matches(name)).toList();
        }
    }

    @Override
    public void close() throws IOException
    {
        for (final long pid : processes())
        {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        Files.deleteIfExists(output);
    }

    private static String environment(final long pid)
    {
        try
        {
            return Files.readString(Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1);
        }
        catch (final IOException gone)
        {
            return "";
        }
    }
}
