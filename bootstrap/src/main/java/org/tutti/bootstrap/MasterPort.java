/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * Determines the UDP port of rank 0, independently on each rank: {@code MASTER_PORT}, else a port that the launcher
 * reserved for the step, else one derived from the numbers of job and step, else {@link #DEFAULT}. Concurrent steps of
 * one job get different ports; jobs on one host almost always do.
 */
final class MasterPort
{
    /** The default port of torchrun. */
    static final int DEFAULT = 29500;
    /** Derived ports are below Linux's ephemeral ports, which start at 32768. */
    static final int FIRST_DERIVED = 20000;
    static final int DERIVED_COUNT = 10000;

    private static final int MAX_PORT = 65535;
    /** Distance between ports of consecutive jobs: more than most jobs have steps. Coprime to the number of ports. */
    private static final int PORTS_PER_JOB = 101;

    private MasterPort()
    {
    }

    static int read(final EnvironmentReader reader, final LauncherVariables names)
    {
        final LauncherVariables.Step step = names.step();
        if (step == null || reader.has(JobEnvironment.MASTER_PORT))
        {
            return reader.number(JobEnvironment.MASTER_PORT, 1, MAX_PORT, DEFAULT);
        }
        if (reader.has(step.ports()))
        {
            return firstReserved(step.ports(), reader.text(step.ports()));
        }
        if (!reader.has(names.jobId()) || !reader.has(step.id()))
        {
            return DEFAULT;
        }
        final long sum = PORTS_PER_JOB * reader.unsignedInt(names.jobId()) + reader.unsignedInt(step.id());
        return FIRST_DERIVED + (int)(sum % DERIVED_COUNT);
    }

    /** Returns the first port of a list such as {@code 12000-12003,12010}. */
    private static int firstReserved(final String name, final String ports)
    {
        int end = 0;
        while (end < ports.length() && Character.isDigit(ports.charAt(end)))
        {
            end++;
        }
        try
        {
            final int port = Integer.parseInt(ports, 0, end, 10);
            if (port >= 1 && port <= MAX_PORT)
            {
                return port;
            }
        }
        catch (final NumberFormatException ex)
        {
            // Reported below, like a number out of range.
        }
        throw new BootstrapException(name + "='" + ports + "' does not start with a port from 1 to " + MAX_PORT +
            ": set " + JobEnvironment.MASTER_PORT + ", the same for all ranks");
    }
}
