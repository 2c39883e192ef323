/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.tutti.launcher.cli.Main;

/** A launcher in its own process, as users start it, with its streams redirected to files. Killed when closed. */
public final class TuttiProcess implements AutoCloseable
{
    private static final long TIMEOUT_S = 300;

    /** The ranks' JVM options, as the script writes them. */
    private static final Path RANK_OPTIONS = rankOptions();

    private final Process process;
    private final Path out;
    private final Path err;

    /**
     * The result of a launcher.
     *
     * @param code the exit code.
     * @param out  the stdout.
     * @param err  the stderr.
     */
    public record Result(int code, String out, String err)
    {
        /** Returns the lines of stdout. */
        public List<String> outLines()
        {
            return out.lines().toList();
        }
    }

    private TuttiProcess(
        final List<String> starter,
        final Path stdin,
        final Map<String, String> environment,
        final List<String> arguments)
    {
        this(starter, stdin, environment, arguments, false, false);
    }

    private TuttiProcess(
        final List<String> starter,
        final Path stdin,
        final Map<String, String> environment,
        final List<String> arguments,
        final boolean isOutputUnread,
        final boolean isErrorUnread)
    {
        try
        {
            out = Files.createTempFile("tutti-test", ".out");
            err = Files.createTempFile("tutti-test", ".err");
            final List<String> command = new ArrayList<>(starter);
            command.addAll(command());
            command.addAll(arguments);
            final ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            process = builder
                .redirectInput(stdin == null ? Path.of("/dev/null").toFile() : stdin.toFile())
                .redirectOutput(isOutputUnread ? Redirect.PIPE : Redirect.to(out.toFile()))
                .redirectError(isErrorUnread ? Redirect.PIPE : Redirect.to(err.toFile()))
                .start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static Path rankOptions()
    {
        try
        {
            final Path options = Files.createTempFile("tutti-rank", ".options");
            options.toFile().deleteOnExit();
            // Ranks of tests end soon: a JVM starts faster with these options.
            Files.writeString(options,
                String.join("\n", TestJars.options()) + "\n-cp \"" + TestJars.CLASS_PATH + "\"\n");
            TestJars.train(options);
            return options;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the command that starts a launcher. */
    public static List<String> command()
    {
        // A test run under nohup, or in the background of a script, would pass on ignored signals.
        final List<String> command = new ArrayList<>(List.of(
            "env", "--default-signal=HUP,INT,TERM", System.getProperty("java.home") + "/bin/java"));
        command.addAll(TestJars.options());
        command.addAll(List.of(
            "-cp", TestJars.CLASS_PATH, "-Dtutti.rank.options=" + RANK_OPTIONS, Main.class.getName()));
        return List.copyOf(command);
    }

    public static TuttiProcess start(final String... arguments)
    {
        return startWith(Map.of(), arguments);
    }

    static TuttiProcess startWith(final Map<String, String> environment, final String... arguments)
    {
        return new TuttiProcess(List.of(), null, environment, List.of(arguments));
    }

    /**
     * Starts a launcher whose output goes to pipes that are not read.
     *
     * @param isErrorUnread whether stderr is not read either.
     */
    static TuttiProcess startUnread(final boolean isErrorUnread, final String... arguments)
    {
        return new TuttiProcess(List.of(), null, Map.of(), List.of(arguments), true, isErrorUnread);
    }

    /** Starts a launcher as the first process of a PID namespace, whose processes are all killed with it. */
    static TuttiProcess startInPidNamespace(final Map<String, String> environment, final String... arguments)
    {
        return new TuttiProcess(
            List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc"), null, environment,
            List.of(arguments));
    }

    /** Runs a launcher with a file size limit that is too small for a media driver. */
    static Result runWithShortFiles(final String... arguments)
    {
        try (TuttiProcess tutti = new TuttiProcess(
            List.of("sh", "-c", "ulimit -f 1000; exec \"$@\"", "sh"), null, Map.of(), List.of(arguments)))
        {
            return tutti.awaitEnd();
        }
    }

    public static Result run(final String... arguments)
    {
        return runWithInput(null, arguments);
    }

    static Result runWithInput(final Path stdin, final String... arguments)
    {
        try (TuttiProcess tutti = new TuttiProcess(List.of(), stdin, Map.of(), List.of(arguments)))
        {
            return tutti.awaitEnd();
        }
    }

    /** Runs a launcher whose stdin is a pipe. */
    static Result runWithPipe(final String input, final String... arguments)
    {
        try (TuttiProcess tutti = new TuttiProcess(
            List.of("sh", "-c", "printf '%s' '" + input + "' | \"$@\"", "sh"), null, Map.of(), List.of(arguments)))
        {
            return tutti.awaitEnd();
        }
    }

    public long pid()
    {
        return process.pid();
    }

    /** Returns whether the launcher has ended. */
    boolean hasEnded()
    {
        return !process.isAlive();
    }

    /** Sends a signal to the launcher only. */
    public void signal(final String name)
    {
        signal(name, Long.toString(process.pid()));
    }

    /** Sends a signal to a process. */
    public static void signal(final String name, final String pid)
    {
        try
        {
            final int code = new ProcessBuilder("kill", "-s", name, pid).start().waitFor();
            if (code != 0)
            {
                throw new IllegalStateException("kill -s " + name + " failed");
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Waits until the launcher's stderr contains a text. */
    TuttiProcess awaitError(final String text)
    {
        await("error '" + text + "'", () -> read(err).contains(text));
        return this;
    }

    /** Waits until the launcher's stdout contains a text {@code times} times. */
    public TuttiProcess awaitOutput(final String text, final int times)
    {
        await("output '" + text + "'", () -> read(out).split(text, -1).length > times);
        return this;
    }

    /** Returns the lines of the launcher's stdout so far. */
    public List<String> output()
    {
        return read(out).lines().toList();
    }

    /** Waits for the end of the launcher. */
    public Result awaitEnd()
    {
        try
        {
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS))
            {
                throw new AssertionError("the launcher did not end: out=" + read(out) + " err=" + read(err));
            }
            return new Result(process.exitValue(), read(out), read(err));
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Waits until a condition holds. */
    public static void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() > deadlineNs)
            {
                throw new AssertionError("timed out after " + TIMEOUT_S + " s: " + what);
            }
            try
            {
                Thread.sleep(10);
            }
            catch (final InterruptedException ex)
            {
                throw new IllegalStateException(ex);
            }
        }
    }

    /** Returns the processes whose environment contains a text. */
    public static List<String> processesWith(final String variable)
    {
        return processes("environ", variable);
    }

    /** Returns the processes whose command line contains a text. */
    public static List<String> processesCalled(final String text)
    {
        return processes("cmdline", text);
    }

    /** Returns whether a child has ended that this process has not waited for: it does not know the exit code. */
    public boolean hasEndedChild()
    {
        // Fields 3 and 4, behind the name in parentheses: state and parent.
        return !processes("stat", ") Z " + pid() + ' ').isEmpty();
    }

    private static List<String> processes(final String file, final String text)
    {
        try (Stream<Path> processes = Files.list(Path.of("/proc")))
        {
            return processes
                .filter(path -> Character.isDigit(path.getFileName().toString().charAt(0)))
                .filter(path -> readBytes(path.resolve(file)).contains(text))
                .map(path -> path.getFileName().toString())
                .toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String readBytes(final Path file)
    {
        try
        {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    /** Reads a file. */
    public static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
        try
        {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
