/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Installs Debian packages. */
final class Installer
{
    /** Generous, because mirrors can be slow and an interrupted installation must be repaired by hand. */
    private static final Duration LIMIT = Duration.ofHours(1);

    private Installer()
    {
    }

    /**
     * Installs packages, as root on Debian or a derivative.
     *
     * @throws SuiteException       if this system has no apt-get, the user is not root, or apt-get fails.
     * @throws InterruptedException if this process is to exit.
     */
    static void install(final List<String> packages, final Commands commands) throws InterruptedException
    {
        final String line = "apt-get install " + String.join(" ", packages);
        if (!Commands.isThere("apt-get") || !System.getProperty("user.name").equals("root"))
        {
            throw new SuiteException("--install: '" + line + "' needs root on Debian: run it first, or install the " +
                "packages of this system");
        }
        final Commands longRunning = commands.within(LIMIT);
        longRunning.run(List.of("apt-get", "update", "-qq"));
        final List<String> command = new ArrayList<>(
            List.of("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq"));
        command.addAll(packages);
        longRunning.run(command);
    }
}
