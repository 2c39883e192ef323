/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.select.model.CoreSharing;
import org.tutti.collectives.select.model.CostModel;

/** The cost model in whole picoseconds, including slow ranks and losses. Immutable. */
final class Costs
{
    private static final double PS_PER_NS = 1000;

    private final long[] hostSend;
    private final long[] networkSend;
    private final long[] hostReceive;
    private final long[] networkReceive;
    private final long local;
    private final double reducePerByte;
    private final double copyPerByte;
    private final double hostPerByte;
    private final boolean isCopied;
    private final long hostLatency;
    private final long acknowledgement;
    private final long yielded;
    private final int inlineBytes;
    private final int packetBytes;
    private final double networkPerByte;
    private final double[] factors;
    private final Perturbation perturbation;

    Costs(final CostModel model, final Perturbation perturbation, final int ranks, final int ranksPerHost)
    {
        final CoreSharing shared = CoreSharing.of(model, ranksPerHost);
        yielded = ps(shared.yieldNs());
        this.perturbation = perturbation;
        factors = new double[ranks];
        hostSend = new long[ranks];
        networkSend = new long[ranks];
        hostReceive = new long[ranks];
        networkReceive = new long[ranks];
        for (int rank = 0; rank < ranks; rank++)
        {
            factors[rank] = shared.factor() * perturbation.factor(rank);
            hostSend[rank] = ps(model.host().sendNs() * factors[rank]);
            networkSend[rank] = ps(model.network().sendNs() * factors[rank]);
            hostReceive[rank] = ps(model.host().receiveNs() * factors[rank]);
            networkReceive[rank] = ps(model.network().receiveNs() * factors[rank]);
        }
        local = ps(model.localNs());
        reducePerByte = model.reduceNsPerByte() * PS_PER_NS;
        copyPerByte = model.copyNsPerByte() * PS_PER_NS;
        hostPerByte = model.host().nsPerByte() * PS_PER_NS;
        isCopied = model.host().copiedByCpu();
        hostLatency = ps(model.host().latencyNs());
        acknowledgement = ps(model.network().latencyNs());
        inlineBytes = model.inlineBytes();
        packetBytes = model.packetBytes();
        networkPerByte = model.network().nsPerByte() * PS_PER_NS;
    }

    static long ps(final double ns)
    {
        return Math.round(ns * PS_PER_NS);
    }

    /** Processor time of a PUT or SIGNAL. */
    long send(final int rank, final boolean isLocal, final long bytes)
    {
        if (!isLocal)
        {
            return networkSend[rank];
        }
        return hostSend[rank] + (isCopied ? Math.round(bytes * hostPerByte * factors[rank]) : 0);
    }

    /** Processor time of an arrival. */
    long receive(final int rank, final boolean isLocal)
    {
        return isLocal ? hostReceive[rank] : networkReceive[rank];
    }

    /** Additional time of a wait because ranks share processors. */
    long yielded()
    {
        return yielded;
    }

    /** Processor time of a REDUCE or COPY. */
    long local(final int rank, final byte kind, final long bytes)
    {
        final double perByte = kind == ProgramShape.REDUCE ? reducePerByte : copyPerByte;
        return Math.round((local + bytes * perByte) * factors[rank]);
    }

    /** Time from posting to visibility on another processor of the same host. */
    long localDelay(final long bytes)
    {
        return hostLatency + (isCopied ? 0 : Math.round(bytes * hostPerByte));
    }

    /** Whether a PUT within a host is complete when it is posted. */
    boolean isLocalDoneAtOnce()
    {
        return isCopied;
    }

    /** Time from the arrival of a message to its completion at the sender. */
    long acknowledgement()
    {
        return acknowledgement;
    }

    int inlineBytes()
    {
        return inlineBytes;
    }

    /**
     * Additional time of a message due to losses: for each loss, the retransmission timeout and the time to transmit
     * the bytes of the message again.
     */
    long losses(final int rank, final int step, final long bytes)
    {
        final long packets = Math.max(1, Math.ceilDiv(bytes, packetBytes));
        final int losses = perturbation.losses(rank, step, packets);
        return losses * (ps(perturbation.retransmitNs()) + Math.round(bytes * networkPerByte));
    }
}
