/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The least time of TCP on this host, as measured by {@code peers/tcp_loop.c}, which has two ranks.
 *
 * @param program compiled program.
 * @param limitMs time limit of a row in milliseconds.
 */
record TcpFloorPeer(Path program, int limitMs) implements Peer
{
    private static final int RANKS = 2;

    @Override
    public String name()
    {
        return CaseResult.FLOOR;
    }

    @Override
    public boolean takes(final Case of)
    {
        return of.ranks() == RANKS && !of.isCold();
    }

    @Override
    public List<String> command(final Case of, final List<String> sizes)
    {
        final List<String> command = new ArrayList<>(List.of(program.toString(), of.operation().label()));
        command.addAll(sizes);
        command.addAll(List.of("-l", Integer.toString(limitMs)));
        return command;
    }

    @Override
    public PeerOutput read(final Case of, final String output)
    {
        return new PeerOutput(CaseResult.FLOOR, PeerOutput.ofTable("tcp_loop", output, of.inPlace()).timesUs());
    }
}
