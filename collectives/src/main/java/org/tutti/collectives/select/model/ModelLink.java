/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * The link between two ranks in a step of an algorithm, with the other ranks of the host that send at the same time.
 *
 * @param sendNs    processor time of posting, in nanoseconds.
 * @param receiveNs processor time of an arrival, in nanoseconds.
 * @param latencyNs time from the departure of the last byte until a waiting rank sees it, in nanoseconds.
 * @param gapNs     minimum time between two messages of an adapter, in nanoseconds.
 * @param nsPerByte time per byte, in nanoseconds.
 * @param isCopied  whether the sender's processor moves the bytes.
 * @param sharing   number of ranks that send over the adapter at the same time, at least 1.
 */
record ModelLink(
    double sendNs, double receiveNs, double latencyNs, double gapNs, double nsPerByte, boolean isCopied, int sharing)
{
    static ModelLink withinHost(final CostModel model, final CoreSharing cores)
    {
        final LinkClass link = model.host();
        final double perByte = link.copiedByCpu() ? cores.factor() * link.nsPerByte() : link.nsPerByte();
        return new ModelLink(
            cores.factor() * link.sendNs(), cores.factor() * link.receiveNs(), link.latencyNs() + cores.yieldNs(),
            link.gapNs(), perByte, link.copiedByCpu(), 1);
    }

    static ModelLink betweenHosts(final CostModel model, final CoreSharing cores, final int sharing)
    {
        final LinkClass link = model.network();
        return new ModelLink(
            cores.factor() * link.sendNs(), cores.factor() * link.receiveNs(),
            link.latencyNs() + model.switchNs() + cores.yieldNs(), link.gapNs(), link.nsPerByte(), false, sharing);
    }

    /** Processor time of the sender. */
    double send(final double bytes)
    {
        return sendNs + (isCopied ? bytes * nsPerByte : 0);
    }

    /** Time from posting to visibility. */
    double flight(final double bytes)
    {
        return latencyNs + (isCopied ? 0 : sharing * bytes * nsPerByte);
    }

    /** Time for which a message keeps the adapter from sending the rank's next one. */
    double occupied(final double bytes)
    {
        return isCopied || bytes == 0 ? 0 : sharing * (bytes * nsPerByte + gapNs);
    }

    /** Time from the start of sending until the receiver has the message. */
    double message(final double bytes)
    {
        return send(bytes) + flight(bytes) + receiveNs;
    }

    /** Time until a message without bytes, which shares no adapter, has been received. */
    double signal()
    {
        return sendNs + latencyNs + receiveNs;
    }
}
