/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;

/**
 * Computes the times of calls on some hosts from a cost model, in closed form. Equal on all ranks, as Java defines
 * floating-point arithmetic to the bit. Immutable, thread-safe.
 */
public final class ModelledTimes
{
    private final ModelledRanks ranks;
    private final long scratchBytes;

    /**
     * Creates the times of calls on some hosts. Takes a time of n log n.
     *
     * @param hosts        hosts of the ranks.
     * @param model        cost model.
     * @param scratchBytes SCRATCH of a call in bytes: segments are shortened until they fit.
     */
    public ModelledTimes(final HostMap hosts, final CostModel model, final long scratchBytes)
    {
        ranks = ModelledRanks.of(hosts, model);
        this.scratchBytes = scratchBytes;
    }

    /**
     * Computes the time of a call.
     *
     * @param algorithm    algorithm of the call.
     * @param bytes        bytes of the longest buffer, from 0.
     * @param segmentBytes maximum length of one PUT, in bytes, at least 1.
     * @param window       maximum number of segments in flight from a rank to a peer, at least 1.
     * @return time in nanoseconds; infinite if the algorithm has no closed form, or too little SCRATCH.
     */
    public double ns(final Algorithm algorithm, final long bytes, final long segmentBytes, final int window)
    {
        final TimeForm form = TimeForms.of(algorithm);
        if (form == null)
        {
            return Double.POSITIVE_INFINITY;
        }
        if (ranks.size() == 1)
        {
            return 0;
        }
        final ModelledCall call = new ModelledCall(ranks, (double)bytes, segmentBytes, window);
        final long segment = ScratchForms.segment(algorithm, call, scratchBytes);
        return segment == 0 ? Double.POSITIVE_INFINITY :
            form.ns(new ModelledCall(ranks, (double)bytes, segment, window)) +
            ranks.acknowledgementNs(
                Math.min((double)segment, ScratchForms.length(algorithm, call)) * blocksPerMessage(algorithm));
    }

    /** Number of blocks of the longest message. */
    private double blocksPerMessage(final Algorithm algorithm)
    {
        return switch (algorithm.toString())
        {
            case "allgather:bruck", "alltoall:bruck", "gather:binomial", "scatter:binomial", "reduce_scatter:circulant",
                "reduce_scatter:recursive_halving", "allgather:pat", "reduce_scatter:pat" -> ranks.size() / 2.0;
            case "gather:hierarchical", "scatter:hierarchical", "alltoall:hierarchical" -> ranks.hosts().largest();
            default -> 1;
        };
    }

    /**
     * Returns the hosts.
     *
     * @return hosts of the ranks.
     */
    public HostMap hosts()
    {
        return ranks.hosts();
    }

    /**
     * Returns the cost model.
     *
     * @return cost model of the wires.
     */
    public CostModel model()
    {
        return ranks.model();
    }
}
