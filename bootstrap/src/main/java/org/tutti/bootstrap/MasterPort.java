/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * The UDP port that rank 0 listens at, which all ranks find out by themselves: {@code MASTER_PORT}, or else one that
 * the launcher reserved for the step, or else one derived from the numbers of job and step, or else {@link #DEFAULT}.
 * Steps of one job that run at once get different ports; jobs on one host nearly always do.
 */
final class MasterPort
{
    /** The port of torchrun. */
    static final int DEFAULT = 29500;
    /** Derived ports are below those that Linux gives to sockets that ask for none, from 32768 on. */
    static final int FIRST_DERIVED = 20000;
    static final int DERIVED_COUNT = 10000;

    private static final int MAX_PORT = 65535;
    /** Shares no factor with the number of ports, so that jobs in a row are apart by more than most jobs' steps. */
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

    /** Of a list such as {@code 12000-12003,12010}. */
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
            // Said below, in the same words as for a number out of range.
        }
        throw new BootstrapException(name + "='" + ports + "' does not begin with a port from 1 to " + MAX_PORT +
            ": set " + JobEnvironment.MASTER_PORT + ", the same for all ranks");
    }
}
