/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Installs Debian's packages. */
final class Installer
{
    /** Mirrors are slow at times, and what is stopped midway has to be mended by hand. */
    private static final Duration LIMIT = Duration.ofHours(1);

    private Installer()
    {
    }

    /**
     * Installs, as root on a Debian or what is made of it.
     *
     * @throws SuiteException       if this is not such a system, or apt-get fails.
     * @throws InterruptedException if this process is to end.
     */
    static void install(final List<String> packages, final Commands commands) throws InterruptedException
    {
        final String line = "apt-get install " + String.join(" ", packages);
        if (!Commands.isThere("apt-get") || !System.getProperty("user.name").equals("root"))
        {
            throw new SuiteException("--install: only root on a Debian can '" + line + "': do that first, or what " +
                "this system has for it");
        }
        final Commands patient = commands.within(LIMIT);
        patient.run(List.of("apt-get", "update", "-qq"));
        final List<String> command = new ArrayList<>(
            List.of("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq"));
        command.addAll(packages);
        patient.run(command);
    }
}
