/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Gloo over TCP, by {@code peers/gloo_tcp.cc}. It does not bind ranks to cores.
 *
 * @param program compiled program.
 * @param scratch directory of this run for the ranks' rendezvous files, so that killed ranks leave none elsewhere.
 * @param limitMs time limit of a row in milliseconds.
 */
record GlooPeer(Path program, Path scratch, int limitMs) implements Peer
{
    @Override
    public String name()
    {
        return "gloo";
    }

    @Override
    public boolean takes(final Case of)
    {
        return switch (of.operation())
        {
            case ALLREDUCE, REDUCE -> true;
            case BROADCAST -> of.inPlace();
            case ALLGATHER, ALLGATHERV, GATHER, SCATTER, ALLTOALL, ALLTOALLV, SENDRECV, BARRIER -> !of.inPlace();
            default -> false;
        } && of.bind().equals("none");
    }

    @Override
    public List<String> command(final Case of, final List<String> sizes)
    {
        final List<String> command = new ArrayList<>(List.of("env", "TMPDIR=" + scratch, program.toString(),
            Integer.toString(of.ranks()), of.operation().label()));
        command.addAll(sizes);
        command.addAll(List.of("-l", Integer.toString(limitMs)));
        return command;
    }

    @Override
    public PeerOutput read(final Case of, final String output)
    {
        return PeerOutput.ofTable("gloo_tcp", output, of.inPlace());
    }
}
