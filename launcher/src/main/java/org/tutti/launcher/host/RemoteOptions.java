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
 * How this host reaches other hosts, and they reach it.
 *
 * @param ssh     the command that runs a command on a host, to be followed by the host and the command.
 * @param home    the directory of Tutti on the other hosts.
 * @param address the address of this host for the other hosts; null to find one for each of them.
 * @param names   the addresses of the other hosts by name.
 */
public record RemoteOptions(List<String> ssh, Path home, InetAddress address, HostNames names)
{
    private static final int CONNECT_TIMEOUT_S = 20;

    /**
     * Completes the user's command: to one called ssh, adds the options without which it might prompt. Of contradicting
     * options ssh takes the first, so the user's own precede these.
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
     * The command that runs Tutti on a host.
     *
     * @param host     the host, as the user gave it.
     * @param argument the word after {@code tutti}, with nothing in it that a shell would change.
     * @return the words of the command.
     */
    public List<String> tuttiCommand(final String host, final String argument)
    {
        final List<String> command = new ArrayList<>(ssh);
        command.add(host);
        // One word: ssh joins words by blanks, and a shell there splits them again. Any shell understands this.
        command.add("exec " + CommandWords.quote(home.resolve("tutti").toString()) + " " + argument);
        return command;
    }
}
