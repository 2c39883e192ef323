/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.bootstrap.ProcessSettings;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.shm.ShmProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;

/** Base of all examples: the options that choose a device, and output. */
abstract class Example implements JobCommand
{
    private static final String VERBS = "verbs";
    private static final String SHM = "shm";

    @Spec
    private CommandSpec spec;

    @Option(names = "--transport", paramLabel = "NAME",
        description = "Transport, such as verbs or shm (default: TUTTI_TRANSPORT, else verbs if it has a device, " +
            "else shm).")
    private String transport;

    @Option(names = "--device", paramLabel = "NAME[:PORT]",
        description = "Device, such as rxe0 (default: TUTTI_DEVICE, else that of the best port).")
    private String device;

    @Option(names = "--ib-port", paramLabel = "N",
        description = "Port number of the device, from 1 (default: TUTTI_PORT, else the best).")
    private String portNum;

    @Option(names = "--gid-index", paramLabel = "N",
        description = "Index of the address in the port's GID table (default: TUTTI_GID_INDEX, else the most " +
            "widely reachable).")
    private String gidIndex;

    private RdmaProvider provider;

    @Override
    public void check(final int size)
    {
        require(size == 1, "-np " + size, "examples run in one process: give -np 1 or omit -np");
        request();
    }

    final CommandSpec spec()
    {
        return spec;
    }

    /** Requires a valid option, else throws an error for the user. */
    final void require(final boolean good, final String option, final String what)
    {
        OptionRules.require(spec, good, option, what);
    }

    /** Formats as {@code printf} does, and prints the result as a line. */
    @SuppressWarnings("AnnotateFormatMethod") // The annotation would add a dependency.
    final void say(final String format, final Object... values)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(format, values));
        out.flush();
    }

    /**
     * The provider that the user named; else {@code verbs} if it has a device, else {@code shm}.
     *
     * @return the provider, the same in each call.
     */
    final synchronized RdmaProvider provider()
    {
        if (provider == null)
        {
            provider = choose();
        }
        return provider;
    }

    private RdmaProvider choose()
    {
        final String named = transport != null ? transport : setting("transport", "TUTTI_TRANSPORT");
        if (named != null && !named.equals(TransportNames.AUTO))
        {
            return load(TransportNames.of(named).getLast());
        }
        if (request().isTcp())
        {
            return load(TransportNames.TCP);
        }
        try
        {
            final RdmaProvider verbs = RdmaProvider.load(VERBS);
            if (!verbs.devices().isEmpty())
            {
                return verbs;
            }
            say("# no RDMA device on this host: using %s, which emulates verbs", SHM);
        }
        catch (final RdmaException e)
        {
            say("# verbs is not available on this host: using %s, which emulates verbs (%s)", SHM, e.getMessage());
        }
        return RdmaProvider.load(SHM);
    }

    private RdmaProvider load(final String name)
    {
        try
        {
            return RdmaProvider.load(name, ProcessSettings.read());
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Opens the port that the options select, and prints it. */
    final Port open()
    {
        return open("");
    }

    /**
     * Opens the port for communication with another process.
     *
     * @param shmDirectory directory shared by the processes of shm; empty for a private one.
     */
    final Port open(final String shmDirectory)
    {
        final boolean shared = provider().name().equals(SHM) && !shmDirectory.isEmpty();
        final RdmaProvider chosen =
            shared ? ShmProvider.ofConfiguredDirectoryOr(Path.of(shmDirectory)) : provider();
        final Port port = Port.open(chosen, request());
        say("# %s/%s", chosen.name(), port);
        return port;
    }

    /** Requested port: by the options, else by the environment. */
    private PortRequest request()
    {
        final Map<String, String> settings = ProcessSettings.read();
        putGiven(settings, "TUTTI_DEVICE", device);
        putGiven(settings, "TUTTI_PORT", portNum);
        putGiven(settings, "TUTTI_GID_INDEX", gidIndex);
        try
        {
            return PortRequest.of(settings);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void putGiven(final Map<String, String> settings, final String name, final String value)
    {
        if (value != null)
        {
            settings.put(name, value);
        }
    }

    private static String setting(final String property, final String variable)
    {
        final String value = System.getProperty("tutti." + property, System.getenv(variable));
        return value == null || value.isBlank() ? null : value;
    }
}
