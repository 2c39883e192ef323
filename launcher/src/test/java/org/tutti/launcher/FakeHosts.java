/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.tutti.launcher.cli.Main;
import org.tutti.launcher.io.CommandWords;

/**
 * Other hosts, played by this one: what stands for ssh runs the command here, in another directory and with nothing of
 * our environment, and what stands for the installation there runs the classes under test. The processes are real.
 */
public final class FakeHosts
{
    private final Path directory;
    private final Path ssh;

    /** @param directory for scripts and logs. */
    public FakeHosts(final Path directory)
    {
        this.directory = directory;
        ssh = script("ssh-of-ours", """
            #!/bin/sh
            host=$1
            shift
            echo "$host: $*" >>'%1$s/calls'
            env >>'%1$s/calls'
            case $host in
                nowhere)
                    echo "Warning: something else" >&2
                    echo "ssh: Could not resolve hostname nowhere: Name or service not known" >&2
                    exit 255
                    ;;
                talkative) echo "Welcome to $host" ;;
                dumb) exit 3 ;;
                mute) exec sleep 600 ;;
            esac
            cd /
            env -i PATH="$PATH" HOME=/ LOGNAME="$host" SSH_CONNECTION="127.0.0.1 1 127.0.0.1 22" sh -c "$*"
            """.formatted(directory));
        installation("home", "");
    }

    /** A directory in which Tutti is, with the classes under test. */
    Path installation(final String name, final String option)
    {
        final String command = TuttiProcess.command().stream()
            .map(word -> word.equals(Main.class.getName()) ? option + " " + word : CommandWords.quote(word))
            .collect(Collectors.joining(" "));
        return script(name + "/tutti", "#!/bin/sh\nexec " + command + " \"$@\"\n").getParent();
    }

    /** A directory in which something else is called Tutti. */
    Path impostor(final String name, final String text)
    {
        return script(name + "/tutti", "#!/bin/sh\n" + text + "\n").getParent();
    }

    /** The words that start a job on hosts. */
    public String[] words(final String hosts, final String... words)
    {
        final List<String> all = new ArrayList<>(List.of("run", "--host", hosts, "--ssh", ssh.toString()));
        if (!List.of(words).contains("--remote-path"))
        {
            all.addAll(List.of("--remote-path", directory.resolve("home").toString()));
        }
        all.addAll(List.of(words));
        return all.toArray(String[]::new);
    }

    /** What ssh was called with, and its environment. */
    String calls()
    {
        return TuttiProcess.read(directory.resolve("calls"));
    }

    /** The processes that stand for ssh to a host. */
    List<String> sshTo(final String host)
    {
        return TuttiProcess.processesCalled(ssh + "\0" + host + "\0");
    }

    private Path script(final String name, final String text)
    {
        try
        {
            final Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
