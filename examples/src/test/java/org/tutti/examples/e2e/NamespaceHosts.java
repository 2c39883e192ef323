/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Hosts on this machine, by {@code launcher/hosts/hosts}. They end when they are closed, or when this process ends.
 */
final class NamespaceHosts implements AutoCloseable
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    private static final String SCRIPT = ROOT.resolve("launcher/hosts/hosts").toString();
    private static final long LIMIT_MS = 60_000;

    private final Process script;
    private final String directory;
    private final Path installation;
    private final String first;

    private NamespaceHosts(final Process script, final Path directory, final Path installation, final String first)
    {
        this.script = script;
        this.directory = directory.toString();
        this.installation = installation;
        this.first = first;
    }

    /**
     * Starts hosts, or skips the test and prints why.
     *
     * @param work  existing directory for files.
     * @param names names of the hosts.
     * @return hosts that are up.
     */
    static NamespaceHosts start(final Path work, final String... names) throws IOException, InterruptedException
    {
        return start(work, List.of(), names);
    }

    /**
     * Starts hosts as {@link #start(Path, String...)} does.
     *
     * @param options options of the script's command {@code up}.
     */
    static NamespaceHosts start(final Path work, final List<String> options, final String... names)
        throws IOException, InterruptedException
    {
        final Process check = new ProcessBuilder(SCRIPT, "check").redirectErrorStream(true).start();
        final String reason = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (check.waitFor() != 0)
        {
            System.out.println("skipping tests on several hosts: " + reason);
            Assumptions.abort(reason);
        }
        final Path directory = work.resolve("hosts");
        final List<String> up = new ArrayList<>(
            List.of(SCRIPT, "up", "--until-eof", "--names", String.join(",", names)));
        up.addAll(options);
        up.add(directory.toString());
        final Process script = new ProcessBuilder(up)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertEquals("up", script.inputReader().readLine());
        return new NamespaceHosts(script, directory, install(work), names[0]);
    }

    /** Creates a directory with a script {@code tutti} that runs the build or the classes under test. */
    private static Path install(final Path work) throws IOException
    {
        final Path home = Files.createDirectories(work.resolve("home"));
        // The classes under test do not know the directory of their script.
        final String command = TuttiJob.IS_BUILT ? "exec '" + ROOT.resolve("tutti") + "' \"$@\"" :
            "TUTTI_REMOTE_PATH='" + home + "' exec '" + TuttiJob.COMMAND.stream().map(Object::toString)
                .reduce((one, other) -> one + "' '" + other).orElseThrow() + "' \"$@\"";
        Files.setPosixFilePermissions(
            Files.writeString(home.resolve("tutti"), "#!/bin/sh\n" + command + "\n"),
            PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    /** Directory with a script {@code tutti}, the same on all hosts. */
    Path installation()
    {
        return installation;
    }

    /**
     * Runs a command of the script, such as {@code loss 2}.
     *
     * @param command   the command.
     * @param arguments arguments after the hosts' directory.
     * @return its output.
     */
    String run(final String command, final String... arguments) throws IOException, InterruptedException
    {
        final Process process = start(command, arguments);
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> command + " " + List.of(arguments) + ": " + output);
        return output;
    }

    /**
     * Starts a command of the script.
     *
     * @param command   the command.
     * @param arguments arguments after the hosts' directory.
     * @return the process, with errors in its output.
     */
    Process start(final String command, final String... arguments) throws IOException
    {
        final List<String> words = new ArrayList<>(List.of(SCRIPT, command, directory));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    /**
     * Starts a command of a job on a host.
     *
     * @param environment variables to add to its environment.
     * @param host        name of the host.
     * @param words       command and its arguments.
     */
    TuttiJob jobOn(final Map<String, String> environment, final String host, final List<String> words)
        throws IOException
    {
        final List<String> all = new ArrayList<>(List.of(SCRIPT, "on", directory, host));
        all.addAll(words);
        return TuttiJob.startCommand(all, environment);
    }

    /** Adds a name of a host to the files {@code /etc/hosts} of all hosts. */
    void addName(final String host, final String name) throws IOException
    {
        final Path file = Path.of(directory, "hosts");
        final String address = Files.readAllLines(file).stream().filter(line -> line.endsWith(" " + host)).findFirst()
            .orElseThrow().split(" ", -1)[0];
        Files.writeString(file, address + " " + name + "\n", StandardOpenOption.APPEND);
    }

    /**
     * Starts a job by a launcher on the first host.
     *
     * @param environment variables to add to the launcher's environment.
     * @param places      hosts of the ranks, as in {@code --host}.
     * @param options     options of {@code tutti run}, besides those for a fast start.
     * @param words       command and its arguments.
     * @return the running job; its processes include the ranks of all hosts.
     */
    TuttiJob job(
        final Map<String, String> environment, final String places, final List<String> options, final String... words)
        throws IOException
    {
        final List<String> all = new ArrayList<>(List.of(SCRIPT, "on", directory, first));
        all.addAll(List.of(installation.resolve("tutti").toString(), "run", "--host", places, "--remote-path",
            installation.toString(), "-q", "--tag", "--grace", "120s", "-J-XX:+UseSerialGC",
            "-J" + TuttiJob.FAST_TO_START));
        all.addAll(options);
        all.addAll(List.of(words));
        return TuttiJob.startCommand(all, environment);
    }

    /** Waits until no process and no file in shared memory is left of jobs. */
    void awaitNothingLeft() throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        String left = run("left");
        while (!left.isEmpty() && System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(LIMIT_MS))
        {
            Thread.sleep(20);
            left = run("left");
        }
        assertEquals("", left);
    }

    /**
     * TCP ports on which processes of a host listen, except for sshd.
     *
     * @param host name of the host.
     * @return a new list.
     */
    List<Integer> ports(final String host) throws IOException, InterruptedException
    {
        try (Stream<String> lines = run("on", host, "ss", "-Hltn").lines())
        {
            return lines.map(line -> line.strip().split(" +", -1)[3]).filter(address -> address.contains("10.77."))
                .map(address -> Integer.valueOf(address.substring(address.lastIndexOf(':') + 1)))
                .filter(port -> port != 22).toList();
        }
    }

    @Override
    public void close() throws IOException
    {
        script.getOutputStream().close();
        try
        {
            assertEquals(0, script.waitFor());
        }
        catch (final InterruptedException e)
        {
            script.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
