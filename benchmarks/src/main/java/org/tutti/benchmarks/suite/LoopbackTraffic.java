/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;

/**
 * Checks that a program used TCP, by the byte counter of the loopback interface, which carries all TCP traffic between
 * processes of a host. Other processes add to the counter, so this detects only programs that send next to nothing.
 *
 * @param counter file of the counter.
 */
record LoopbackTraffic(Path counter)
{
    static LoopbackTraffic ofHost()
    {
        return new LoopbackTraffic(Path.of("/sys/class/net/lo/statistics/rx_bytes"));
    }

    /**
     * Reads the counter.
     *
     * @return bytes that the interface has received since the host started.
     * @throws SuiteException if the counter cannot be read.
     */
    long bytes()
    {
        try
        {
            return Long.parseLong(Files.readString(counter).strip());
        }
        catch (final IOException | NumberFormatException ex)
        {
            throw new SuiteException("--wire=tcp: cannot read the traffic of the loopback interface from " + counter +
                ", needed to check that all programs use TCP: " + ex.getMessage(), ex);
        }
    }

    /**
     * Requires that a run of a case moved at least as many bytes as a single call of its largest size.
     *
     * @param name    name of the program.
     * @param of      the case.
     * @param timesUs times by row, as in {@link PeerOutput}.
     * @param before  counter before the run, in bytes.
     * @throws SuiteException if it moved fewer bytes.
     */
    void require(final String name, final Case of, final SortedMap<Long, Double> timesUs, final long before)
    {
        final long moved = bytes() - before;
        final long least = of.isCold() ? 1 : Math.max(1, timesUs.lastKey());
        if (moved < least)
        {
            throw new SuiteException(name + " does not use TCP, as --wire=tcp requires: the loopback interface " +
                "carried " + moved + " bytes during its run, must be at least " + least);
        }
    }
}
