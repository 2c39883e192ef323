/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

import picocli.CommandLine.Command;

/** The jobs that come with Tutti, by name. */
final class Jobs
{
    private Jobs()
    {
    }

    /** The names of all jobs, sorted. */
    static List<String> names()
    {
        final List<String> names = new ArrayList<>();
        ServiceLoader.load(JobCommand.class).stream().forEach(provider -> names.add(name(provider)));
        names.sort(null);
        return names;
    }

    /** A new instance of the job of this name, or null when there is none. */
    static JobCommand find(final String name)
    {
        return ServiceLoader.load(JobCommand.class).stream()
            .filter(provider -> name.equals(name(provider)))
            .findFirst().map(ServiceLoader.Provider::get).orElse(null);
    }

    private static String name(final ServiceLoader.Provider<JobCommand> provider)
    {
        final Command command = provider.type().getAnnotation(Command.class);
        if (command == null)
        {
            throw new IllegalStateException(provider.type() + " is a job without picocli's @Command");
        }
        return command.name();
    }
}
