/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.tutti.launcher.io.ExitCode;

/**
 * ssh, or another program with the same arguments: the host, and a command line for a shell on it.
 *
 * @param words the words of the command, to be followed by the host.
 */
public record SshShell(List<String> words) implements RemoteShell
{
    private static final int CONNECT_TIMEOUT_S = 20;
    private static final int FAILED = 255;

    /**
     * Completes the user's command: if it is ssh, adds the options that suppress prompts. ssh uses the first of
     * contradicting options, so the user's own come first.
     *
     * @param given the words of the user's command.
     * @return the shell.
     */
    public static SshShell of(final List<String> given)
    {
        final List<String> words = new ArrayList<>(given);
        if (Path.of(given.getFirst()).endsWith("ssh"))
        {
            words.addAll(List.of("-T", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_TIMEOUT_S));
        }
        return new SshShell(List.copyOf(words));
    }

    @Override
    public String name()
    {
        return words.getFirst();
    }

    @Override
    public List<String> command(final String host, final String line)
    {
        final List<String> command = new ArrayList<>(words);
        command.add(host);
        // One word, as ssh joins words with blanks and the remote shell splits them again.
        command.add(line);
        return command;
    }

    @Override
    public void prepare(final Map<String, String> environment)
    {
        // ssh passes on what its configuration names.
    }

    @Override
    public String failure(final String host, final int code, final String said)
    {
        return code != FAILED ? null : name() + " " + ExitCode.describe(code) + said +
            "; it must log in without a prompt, by a key and a known host: try '" + name() + " -o BatchMode=yes " +
            host + " true'";
    }

    @Override
    public boolean isReportOfEnd(final String line)
    {
        return false;
    }
}
