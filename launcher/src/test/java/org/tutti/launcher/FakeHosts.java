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
 * Simulates other hosts on this one: a script in place of ssh runs the command locally, in another directory and
 * without this process's environment, and a script in place of the installation runs the classes under test. The
 * processes are real.
 */
public final class FakeHosts
{
    private final Path directory;
    private final Path ssh;

    /** @param directory the directory for scripts and logs. */
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
                once)
                    if [ -e '%1$s/once' ]
                    then
                        echo "ssh: connect to host once port 22: Connection refused" >&2
                        exit 255
                    fi
                    touch '%1$s/once'
                    ;;
                mute) exec sleep 600 ;;
            esac
            cd /
            env -i PATH="$PATH" HOME=/ LOGNAME="$host" SSH_CONNECTION="127.0.0.1 1 127.0.0.1 22" sh -c "$*"
            """.formatted(directory));
        installation("home", "");
    }

    /** Creates an installation of Tutti with the classes under test; returns its directory. */
    Path installation(final String name, final String option)
    {
        final String command = TuttiProcess.command().stream()
            .map(word -> word.equals(Main.class.getName()) ? option + " " + word : CommandWords.quote(word))
            .collect(Collectors.joining(" "));
        return script(name + "/tutti", "#!/bin/sh\nexec " + command + " \"$@\"\n").getParent();
    }

    /** Creates an installation with another program named tutti; returns its directory. */
    Path impostor(final String name, final String text)
    {
        return script(name + "/tutti", "#!/bin/sh\n" + text + "\n").getParent();
    }

    /** Returns the arguments that run a job on hosts. */
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

    /** Returns the arguments of all ssh calls, and their environment. */
    String calls()
    {
        return TuttiProcess.read(directory.resolve("calls"));
    }

    /** Returns the processes that simulate ssh to a host. */
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
