/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.LinkClass;
import org.tutti.collectives.select.model.WireKind;

/**
 * Segments and windows of calls: those of the defaults, which were measured in shared memory, unless they leave a link
 * idle, between hosts or between ranks of a host that do not share memory. Over TCP, where each segment takes several
 * system calls, segments are at least {@link #TCP_SEGMENT} long. A link is filled if as many bytes are in flight as it
 * carries in the time that a segment and its credit take: the bandwidth-delay product, over TCP twice that. If a
 * window of segments is shorter, the window grows to {@link #WINDOW} segments, then the segments grow. An algorithm
 * with a window of up to {@link #NO_WINDOW} has about one segment in flight, so its segments alone must fill the link.
 * All ranks get the same values, as they compute them from the same cost model.
 */
final class LinkTunings
{
    /** The largest window: a rank has slots and receive requests for so many segments per peer. */
    static final int WINDOW = 8;

    /**
     * The shortest segment over TCP. Between two ranks on two cores, a reduce of 1 to 8 MiB by a binomial tree takes a
     * third to a half of the time that it takes with segments of 32 KiB, a broadcast 0.4 to 0.9 of it; an allreduce of
     * 1 MiB by recursive doubling takes half of the time that it takes with 64 KiB.
     */
    private static final long TCP_SEGMENT = 128 << 10;
    /**
     * Over TCP, a credit waits behind the data that its rank sends, so more bytes must be in flight than the product.
     * Between two hosts with a delay of 1 ms and twice the product, a broadcast of 8 MiB takes 0.8 of the time, an
     * allreduce by a ring between hosts 0.7, one that sends segment by segment 0.5.
     */
    private static final int TCP_MARGIN = 2;
    private static final int NO_WINDOW = 2;
    private static final long LONGEST_SEGMENT = 16L << 20;

    private LinkTunings()
    {
    }

    /**
     * Returns the segment and window of an algorithm.
     *
     * @param algorithm algorithm of the call.
     * @param bytes     buffer length in bytes, from 0; ignored for collectives in which a rank knows only its own
     *                  counts, as blocks may have any length.
     * @param hosts     hosts of the ranks.
     * @param wire      wire between hosts or, on one host, within it.
     * @param model     cost model of the wires.
     */
    static Tuning of(
        final Algorithm algorithm, final long bytes, final HostMap hosts, final WireKind wire, final CostModel model)
    {
        final Tuning measured = Defaults.tuningOf(algorithm, bytes);
        final double product = (wire == WireKind.TCP ? TCP_MARGIN : 1) * product(hosts, model);
        final long length = algorithm.collective().hasLocalCounts() ? Long.MAX_VALUE : bytes;
        int window = measured.window();
        long segment = wire == WireKind.TCP ? Math.max(measured.segmentBytes(), TCP_SEGMENT) : measured.segmentBytes();
        if (segment < length && inFlight(segment, window) < product)
        {
            window = window <= NO_WINDOW ? window : WINDOW;
            while (segment < length && segment < LONGEST_SEGMENT && inFlight(segment, window) < product)
            {
                segment *= 2;
            }
        }
        return new Tuning(algorithm, measured.range(), segment, window);
    }

    /**
     * Bandwidth-delay product in bytes of the slowest link between ranks; 0 if its bandwidth is unlimited, or if
     * processors copy the bytes, of which none are in flight then.
     */
    static double product(final HostMap hosts, final CostModel model)
    {
        final boolean isWithin = hosts.number() == 1;
        final LinkClass link = isWithin ? model.host() : model.network();
        final double latencyNs = link.latencyNs() + (isWithin ? 0 : model.switchNs());
        return link.nsPerByte() == 0 || (isWithin && link.copiedByCpu()) ? 0 :
            2 * (link.sendNs() + latencyNs + link.receiveNs()) / link.nsPerByte();
    }

    private static double inFlight(final long segment, final int window)
    {
        return (double)segment * (window <= NO_WINDOW ? 1 : window);
    }
}
