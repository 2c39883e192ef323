/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * Cost of a message between two ranks, by the parameters of LogGP: Alexandrov, Ionescu, Schauser and Scheiman,
 * <i>LogGP: Incorporating Long Messages into the LogP Model</i>, SPAA 1995, doi:10.1145/215399.215427.
 *
 * @param sendNs      o of the sender: processor time of posting, in nanoseconds.
 * @param receiveNs   o of the receiver: processor time of an arrival, in nanoseconds.
 * @param latencyNs   L: time from the departure of the last byte to its visibility, without switches, in nanoseconds.
 * @param gapNs       g: minimum time between two messages of an adapter, excluding their bytes, in nanoseconds.
 * @param nsPerByte   G: time per byte, in nanoseconds.
 * @param copiedByCpu whether the sender's processor copies the bytes, as between ranks that share memory: the processor
 *                    is busy during the copy, and the message has arrived when the copy ends.
 */
public record LinkClass(
    double sendNs, double receiveNs, double latencyNs, double gapNs, double nsPerByte, boolean copiedByCpu)
{
    private static final double MAX_NS = 1e12;

    /**
     * Validates the ranges.
     *
     * @throws IllegalArgumentException naming the value and its limits.
     */
    public LinkClass
    {
        requireTime("send", sendNs);
        requireTime("receive", receiveNs);
        requireTime("latency", latencyNs);
        requireTime("gap", gapNs);
        requireTime("byte", nsPerByte);
    }

    /**
     * Checks a time.
     *
     * @param name name of the time, for the message.
     * @param ns   time in nanoseconds.
     * @throws IllegalArgumentException if the time is negative, or longer than 1000 s.
     */
    public static void requireTime(final String name, final double ns)
    {
        require(ns >= 0 && ns <= MAX_NS, name, ns, "from 0 to " + MAX_NS + " ns");
    }

    static void require(final boolean condition, final String name, final double value, final String range)
    {
        if (!condition)
        {
            throw new IllegalArgumentException(name + "=" + value + ": must be " + range);
        }
    }
}
