/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An MPI implementation, measured with {@code peers/mpi_perf.c}. Over {@link Wire#TCP} its shared memory is disabled.
 *
 * @param name    {@code openmpi} or {@code mpich}.
 * @param starter launcher of the ranks, such as {@code mpirun}.
 * @param program program compiled for this implementation.
 * @param limitMs time limit of a row in milliseconds.
 */
record MpiPeer(String name, String starter, Path program, int limitMs) implements Peer
{
    /** Open MPI: its own point-to-point layer, over TCP only. */
    private static final List<String> OPENMPI_TCP = List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
        "--mca", "btl_tcp_if_include", "lo");
    /** MPICH with UCX (ch4:ucx), as in Debian: ranks of one host communicate as ranks of several do, over TCP only. */
    private static final List<String> MPICH_TCP = List.of("env", "MPIR_CVAR_NOLOCAL=1", "UCX_TLS=tcp,self",
        "UCX_NET_DEVICES=lo");

    @Override
    public boolean takes(final Case of)
    {
        return true;
    }

    @Override
    public List<String> command(final Case of, final List<String> sizes)
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        final boolean isTcp = of.wire() == Wire.TCP;
        final boolean isOpenMpi = name.equals("openmpi");
        final List<String> command = new ArrayList<>(isTcp && !isOpenMpi ? MPICH_TCP : List.of());
        command.addAll(List.of(starter, "-np", Integer.toString(of.ranks())));
        if (isOpenMpi)
        {
            final boolean isCrowded = of.ranks() > processors;
            // By default, Open MPI counts all cores of the host, and its ranks yield only if there are more ranks than
            // cores. It must count only the cores that are available to this process.
            command.addAll(List.of("--host", "localhost:" + processors));
            if (System.getProperty("user.name").equals("root"))
            {
                command.add("--allow-run-as-root");
            }
            if (isCrowded)
            {
                command.add("--oversubscribe");
            }
            if (isTcp)
            {
                command.addAll(OPENMPI_TCP);
            }
            command.addAll(List.of(
                "--bind-to", of.bind() + (isCrowded && of.bind().equals("core") ? ":overload-allowed" : "")));
        }
        else
        {
            command.addAll(List.of("-bind-to", of.bind()));
        }
        command.addAll(List.of(program.toString(), of.operation().label()));
        command.addAll(sizes);
        command.addAll(List.of("-l", Integer.toString(limitMs), "-p", Integer.toString(processors)));
        return command;
    }

    @Override
    public PeerOutput read(final Case of, final String output)
    {
        return PeerOutput.ofTable("mpi_perf of " + name, output, of.inPlace());
    }
}
