/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

import org.tutti.launcher.JobCommand;

/** Finds built-in jobs by name. */
public final class Jobs
{
    private Jobs()
    {
    }

    /**
     * Returns the names of all jobs.
     *
     * @return the names, sorted.
     */
    public static List<String> names()
    {
        final List<String> names = new ArrayList<>();
        ServiceLoader.load(JobCommand.class).stream()
            .forEach(provider -> names.add(JobCommand.nameOf(provider.type())));
        names.sort(null);
        return names;
    }

    /**
     * Finds a job.
     *
     * @param name the name of the job.
     * @return a new instance, or null if there is no such job.
     */
    public static JobCommand find(final String name)
    {
        return ServiceLoader.load(JobCommand.class).stream()
            .filter(provider -> name.equals(JobCommand.nameOf(provider.type())))
            .findFirst().map(ServiceLoader.Provider::get).orElse(null);
    }
}
