/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

import org.tutti.launcher.io.CommandWords;

/**
 * The options for reaching other hosts, and for being reached by them.
 *
 * @param shell   the program that runs commands on other hosts.
 * @param home    Tutti's directory on the other hosts.
 * @param address the address of this host for the other hosts; null to determine one for each of them.
 * @param names   the addresses of the other hosts by name.
 */
public record RemoteOptions(RemoteShell shell, Path home, InetAddress address, HostNames names)
{
    /**
     * Builds the command that runs Tutti on a host.
     *
     * @param host     the host, as the user gave it.
     * @param argument the argument of {@code tutti}, without characters that a shell interprets.
     * @return the words of the command.
     */
    public List<String> tuttiCommand(final String host, final String argument)
    {
        // Works in any shell.
        return shell.command(host, "exec " + CommandWords.quote(home.resolve("tutti").toString()) + " " + argument);
    }
}
