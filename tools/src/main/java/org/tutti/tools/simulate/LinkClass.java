/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * What a message costs between two ranks, by the parameters of LogGP: Alexandrov, Ionescu, Schauser and Scheiman,
 * <i>LogGP: Incorporating Long Messages into the LogP Model</i>, SPAA 1995, doi:10.1145/215399.215427.
 *
 * @param sendNs      o of the sender: the processor's time for posting, in nanoseconds.
 * @param receiveNs   o of the receiver: its processor's time for taking an arrival.
 * @param latencyNs   L: from the last byte that leaves to its being seen, without the switches on the way.
 * @param gapNs       g: the least time between two messages of an adapter, besides that of their bytes.
 * @param nsPerByte   G: the time of each byte.
 * @param copiedByCpu whether the sender's processor moves the bytes itself, as it does between ranks that share memory:
 *                    then it is busy meanwhile, and the message has arrived when it is done.
 */
public record LinkClass(
    double sendNs, double receiveNs, double latencyNs, double gapNs, double nsPerByte, boolean copiedByCpu)
{
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its limits.
     */
    public LinkClass
    {
        CostModel.requireTime("send", sendNs);
        CostModel.requireTime("receive", receiveNs);
        CostModel.requireTime("latency", latencyNs);
        CostModel.requireTime("gap", gapNs);
        CostModel.requireTime("byte", nsPerByte);
    }
}
