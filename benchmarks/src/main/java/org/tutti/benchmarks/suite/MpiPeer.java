/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An MPI implementation, measured with {@code peers/mpi_perf.c}.
 *
 * @param name    {@code openmpi} or {@code mpich}.
 * @param starter launcher of the ranks, such as {@code mpirun}.
 * @param program program compiled for this implementation.
 * @param limitMs time limit of a row in milliseconds.
 */
record MpiPeer(String name, String starter, Path program, int limitMs) implements Peer
{
    @Override
    public boolean takes(final Case of)
    {
        return true;
    }

    @Override
    public List<String> command(final Case of, final List<String> sizes)
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        final List<String> command = new ArrayList<>(List.of(starter, "-np", Integer.toString(of.ranks())));
        if (name.equals("openmpi"))
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
