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

/** The peers that Tutti can be compared with: how to detect, install and run each. */
enum PeerKind
{
    /** Runs {@code mpi_perf.c}. */
    OPENMPI("Open MPI", "openmpi-bin libopenmpi-dev"),
    /** Runs {@code mpi_perf.c}. */
    MPICH("MPICH", "mpich libmpich-dev"),
    /** Runs {@code gloo_tcp.cc}, over TCP. */
    GLOO("Gloo", "libgloo-dev g++"),
    /** Memory bandwidth limit of this host, by {@code roofline.c}. */
    ROOFLINE("C compiler", "gcc"),
    /** Least time of TCP on this host, by {@code tcp_loop.c}. */
    FLOOR("C compiler", "gcc");

    private final String label;
    private final String packages;

    PeerKind(final String label, final String packages)
    {
        this.label = label;
        this.packages = packages;
    }

    /** Name on the command line. */
    String option()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether this peer is a communication library. */
    boolean isLibrary()
    {
        return !CaseResult.isLimit(option());
    }

    /** Whether cases over a wire can be compared with this peer. */
    boolean isOver(final Wire wire)
    {
        return isLibrary() || (this == FLOOR) == (wire == Wire.TCP);
    }

    /** The peers over a wire. */
    static List<PeerKind> over(final Wire wire)
    {
        return Arrays.stream(values()).filter(each -> each.isOver(wire)).toList();
    }

    /**
     * Index of the library whose name a label with a version starts with, for a stable colour; negative if there is no
     * such library.
     */
    static int indexOf(final String label)
    {
        return Arrays.stream(values()).filter(each -> each.isLibrary() && label.startsWith(each.label + " "))
            .mapToInt(PeerKind::ordinal).findFirst().orElse(-1);
    }

    /** Debian packages that provide this peer. */
    List<String> packages()
    {
        return List.of(packages.split(" ", -1));
    }

    /** Message that this peer is missing, with the fix. */
    String missing()
    {
        return label + " is not installed: run 'apt-get install " + packages + "', or use --install";
    }

    /**
     * Whether everything that this peer needs is installed.
     *
     * @throws InterruptedException if this process is to exit.
     */
    boolean isThere(final Commands commands) throws InterruptedException
    {
        return switch (this)
        {
            case OPENMPI, MPICH -> suffix(commands) != null;
            case GLOO -> Commands.isThere("g++") && Files.exists(Path.of("/usr/include/gloo/config.h"));
            case ROOFLINE, FLOOR -> Commands.isThere("cc");
        };
    }

    /**
     * Compiles this peer's program.
     *
     * @param limitMs time limit of a row in milliseconds.
     * @throws SuiteException       if compilation fails.
     * @throws InterruptedException if this process is to exit.
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
            case FLOOR -> new TcpFloorPeer(programs.compile("cc", "tcp_loop.c", "tcp_loop"), limitMs);
        };
    }

    /**
     * Suffix of this implementation's mpicc and mpirun. On Debian, each implementation has its own suffix; elsewhere,
     * the suffix is empty if mpirun reports this implementation. Null if this implementation is not installed.
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
        final String output = commands.run(List.of("mpirun", "--version")).toLowerCase(Locale.ROOT);
        return output.contains(this == OPENMPI ? "open mpi" : "mpich") || (this == MPICH && output.contains("hydra")) ?
            "" : null;
    }
}
