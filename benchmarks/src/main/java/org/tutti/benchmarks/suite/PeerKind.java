/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What Tutti can be compared with: how to see whether it is installed, how to get it, and how to run it. */
enum PeerKind
{
    /** By {@code mpi_perf.c}. */
    OPENMPI("Open MPI", "openmpi-bin libopenmpi-dev"),
    /** By {@code mpi_perf.c}. */
    MPICH("MPICH", "mpich libmpich-dev"),
    /** Over TCP, by {@code gloo_tcp.cc}. */
    GLOO("Gloo", "libgloo-dev g++"),
    /** What the memory of this host allows, by {@code roofline.c}. */
    ROOFLINE("C compiler", "gcc");

    private final String label;
    private final String packages;

    PeerKind(final String label, final String packages)
    {
        this.label = label;
        this.packages = packages;
    }

    /** Its name on the command line. */
    String option()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is a library, such as Tutti is one. */
    boolean isLibrary()
    {
        return this != ROOFLINE;
    }

    /** Which of the libraries a label with a version is of, negative for none: its colour is the same on all pages. */
    static int indexOf(final String label)
    {
        return Arrays.stream(values()).filter(each -> each.isLibrary() && label.startsWith(each.label + " "))
            .mapToInt(PeerKind::ordinal).findFirst().orElse(-1);
    }

    /** Debian's packages that bring it. */
    List<String> packages()
    {
        return List.of(packages.split(" ", -1));
    }

    /** That it is missing, and what helps. */
    String missing()
    {
        return "no " + label + " here: 'apt-get install " + packages + "' brings it (--install does it)";
    }

    /**
     * Whether all is here that it takes.
     *
     * @throws InterruptedException if this process is to end.
     */
    boolean isThere(final Commands commands) throws InterruptedException
    {
        return switch (this)
        {
            case OPENMPI, MPICH -> suffix(commands) != null;
            case GLOO -> Commands.isThere("g++") && Files.exists(Path.of("/usr/include/gloo/config.h"));
            case ROOFLINE -> Commands.isThere("cc");
        };
    }

    /**
     * Compiles its program.
     *
     * @param limitMs limit of a row's calls, in milliseconds.
     * @throws SuiteException       if that fails.
     * @throws InterruptedException if this process is to end.
     */
    Peer build(final PeerPrograms programs, final int limitMs) throws InterruptedException
    {
        return switch (this)
        {
            case OPENMPI, MPICH ->
            {
                final String suffix = suffix(programs.commands());
                yield new MpiPeer(option(), "mpirun" + suffix,
                    programs.compile("mpicc" + suffix, "mpi_perf.c", "mpi_perf." + option()), limitMs);
            }
            case GLOO -> new GlooPeer(programs.compile("g++", "gloo_tcp.cc", "gloo_tcp", "-lgloo"),
                programs.commands().scratch(), limitMs);
            case ROOFLINE -> new RooflinePeer(programs.compile("cc", "roofline.c", "roofline"), limitMs);
        };
    }

    /**
     * What stands behind mpicc and mpirun: Debian gives each implementation's a name of their own. Elsewhere they are
     * what they say they are. Null if there are none.
     */
    private String suffix(final Commands commands) throws InterruptedException
    {
        final String own = "." + option();
        if (Commands.isThere("mpicc" + own) && Commands.isThere("mpirun" + own))
        {
            return own;
        }
        if (!Commands.isThere("mpicc") || !Commands.isThere("mpirun"))
        {
            return null;
        }
        final String says = commands.run(List.of("mpirun", "--version")).toLowerCase(Locale.ROOT);
        return says.contains(this == OPENMPI ? "open mpi" : "mpich") || (this == MPICH && says.contains("hydra")) ?
            "" : null;
    }
}
