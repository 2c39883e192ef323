/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

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
import java.util.HashMap;
import java.util.Map;

/** What all examples have in common: the options that choose a device, and a way to say something. */
abstract class Example implements JobCommand
{
    private static final String VERBS = "verbs";
    private static final String SHM = "shm";

    @Spec
    private CommandSpec spec;

    @Option(names = "--transport", paramLabel = "NAME",
        description = "Such as verbs or shm (default: TUTTI_TRANSPORT, else verbs if it has a device here, else shm).")
    private String transport;

    @Option(names = "--device", paramLabel = "NAME[:PORT]",
        description = "Such as rxe0 (default: TUTTI_DEVICE, else that of the best port).")
    private String device;

    @Option(names = "--ib-port", paramLabel = "N",
        description = "The device's port, counted from 1 (default: TUTTI_PORT, else the best).")
    private String portNum;

    @Option(names = "--gid-index", paramLabel = "N",
        description = "The port's address, an index into its GID table (default: TUTTI_GID_INDEX, else the most " +
            "widely reachable).")
    private String gidIndex;

    private RdmaProvider provider;

    @Override
    public void check(final int size)
    {
        require(size == 1, "-np " + size, "an example is one process: give -np 1, or leave it out");
        request();
    }

    final CommandSpec spec()
    {
        return spec;
    }

    /** Refuses an option, for people. */
    final void require(final boolean good, final String option, final String what)
    {
        OptionRules.require(spec, good, option, what);
    }

    /** Prints a line, as {@code printf} does. */
    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be one more dependency.
    final void say(final String format, final Object... values)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(format, values));
        out.flush();
    }

    /**
     * The provider of verbs that the user named; else real verbs where there is a device for them, else software.
     *
     * @return that has at least one device.
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
            return RdmaProvider.load(TransportNames.of(named).getLast());
        }
        try
        {
            final RdmaProvider verbs = RdmaProvider.load(VERBS);
            if (!verbs.devices().isEmpty())
            {
                return verbs;
            }
            say("# no RDMA device on this host: using %s, verbs in software", SHM);
        }
        catch (final RdmaException e)
        {
            say("# no real verbs on this host: using %s, verbs in software (%s)", SHM, e.getMessage());
        }
        return RdmaProvider.load(SHM);
    }

    /** Opens the port that the options name, and says which it is. */
    final Port open()
    {
        return open("");
    }

    /**
     * The same, where another process shall be reached.
     *
     * @param shmDirectory where shm's processes meet; empty for a directory of this process alone.
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

    /** Which port the user wants: by these options, else by the environment. */
    private PortRequest request()
    {
        final Map<String, String> settings = new HashMap<>(System.getenv());
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
