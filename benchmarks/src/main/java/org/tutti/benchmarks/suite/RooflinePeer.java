/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Operation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory bandwidth limit of this host, as measured by {@code peers/roofline.c}.
 *
 * @param program compiled program.
 * @param limitMs time limit of a row in milliseconds.
 */
record RooflinePeer(Path program, int limitMs) implements Peer
{
    @Override
    public String name()
    {
        return CaseResult.ROOFLINE;
    }

    @Override
    public boolean takes(final Case of)
    {
        if (of.isOnCallersMemory())
        {
            return !of.isCold() && of.operation() == Operation.ALLREDUCE;
        }
        return !of.isCold() && switch (of.operation().even())
        {
            case SCAN, EXSCAN -> false;
            case ALLTOALL -> !of.inPlace();
            default -> true;
        };
    }

    @Override
    public List<String> command(final Case of, final List<String> sizes)
    {
        final List<String> command = new ArrayList<>(
            List.of(program.toString(), Integer.toString(of.ranks()), of.operation().label()));
        command.addAll(sizes);
        command.addAll(List.of("-l", Integer.toString(limitMs)));
        return command;
    }

    @Override
    public PeerOutput read(final Case of, final String output)
    {
        return new PeerOutput(CaseResult.ROOFLINE, PeerOutput.ofTable(name(), output, of.inPlace()).timesUs());
    }
}
