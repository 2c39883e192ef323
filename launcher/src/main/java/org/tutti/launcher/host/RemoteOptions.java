/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.tutti.launcher.io.CommandWords;

/**
 * The options for reaching other hosts, and for being reached by them.
 *
 * @param ssh     the remote shell command, to be followed by the host and the command to run there.
 * @param home    Tutti's directory on the other hosts.
 * @param address the address of this host for the other hosts; null to determine one for each of them.
 * @param names   the addresses of the other hosts by name.
 */
public record RemoteOptions(List<String> ssh, Path home, InetAddress address, HostNames names)
{
    private static final int CONNECT_TIMEOUT_S = 20;

    /**
     * Completes the user's command: if it is ssh, adds the options that suppress prompts. ssh uses the first of
     * contradicting options, so the user's own come first.
     *
     * @param words the words of the user's command.
     * @return the words of the complete command.
     */
    public static List<String> sshCommand(final List<String> words)
    {
        final List<String> command = new ArrayList<>(words);
        if (Path.of(words.getFirst()).endsWith("ssh"))
        {
            command.addAll(List.of("-T", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_TIMEOUT_S));
        }
        return command;
    }

    /**
     * Builds the command that runs Tutti on a host.
     *
     * @param host     the host, as the user gave it.
     * @param argument the argument of {@code tutti}, without characters that a shell interprets.
     * @return the words of the command.
     */
    public List<String> tuttiCommand(final String host, final String argument)
    {
        final List<String> command = new ArrayList<>(ssh);
        command.add(host);
        // One word, as ssh joins words with blanks and the remote shell splits them again. Works in any shell.
        command.add("exec " + CommandWords.quote(home.resolve("tutti").toString()) + " " + argument);
        return command;
    }
}
