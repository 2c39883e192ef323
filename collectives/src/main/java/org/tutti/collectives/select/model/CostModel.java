/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Costs of steps, in nanoseconds. Immutable.
 *
 * @param host            costs between ranks of one host.
 * @param network         costs between hosts.
 * @param switchNs        latency of each switch on the path, in nanoseconds.
 * @param localNs         fixed time of each REDUCE and COPY, in nanoseconds.
 * @param reduceNsPerByte time per byte of the result of a REDUCE, in nanoseconds.
 * @param copyNsPerByte   time per byte of a COPY, in nanoseconds.
 * @param inlineBytes     maximum length of a PUT whose source may be reused as soon as it is posted.
 * @param packetBytes     packet length in bytes, for losses.
 * @param hostCores       number of processors of a host, or 0 if every rank has its own. If a host has more ranks than
 *                        processors, the processor time of each step is multiplied by their ratio: {@link CoreSharing}.
 * @param yieldNs         additional time of each wait for a later arrival if ranks share processors, in nanoseconds.
 */
public record CostModel(
    LinkClass host, LinkClass network, double switchNs, double localNs, double reduceNsPerByte, double copyNsPerByte,
    int inlineBytes, int packetBytes, int hostCores, double yieldNs)
{
    private static final double NS_PER_BYTE_AT_ONE_MBIT = 8000;

    /** Shipped parameters of shared memory within hosts and RDMA devices between them: see {@link WireKind}. */
    public static final CostModel DEFAULT = of(WireKind.SHM, WireKind.VERBS);

    /**
     * Validates the ranges.
     *
     * @throws IllegalArgumentException naming the value and its limits.
     */
    public CostModel
    {
        LinkClass.requireTime("switch", switchNs);
        LinkClass.requireTime("local", localNs);
        LinkClass.requireTime("reduce", reduceNsPerByte);
        LinkClass.requireTime("copy", copyNsPerByte);
        LinkClass.require(inlineBytes >= 0, "inline", inlineBytes, "at least 0");
        LinkClass.require(hostCores >= 0, "host.cores", hostCores, "at least 0");
        LinkClass.requireTime("host.yield", yieldNs);
        LinkClass.require(packetBytes >= 1, "packet", packetBytes, "at least 1");
    }

    /**
     * Returns the shipped parameters of some wires. Those of local work were measured with {@link WireKind#SHM}; the
     * latency of switches and the length of packets are usual ones.
     *
     * @param within wire within hosts.
     * @param across wire between hosts.
     * @return cost model.
     */
    public static CostModel of(final WireKind within, final WireKind across)
    {
        return new CostModel(within.link(), across.link(), 120, 180, 0.032, 0.017, across.inlineBytes(), 4096, 0, 0);
    }

    /**
     * A copy in which links between hosts are not faster than a nominal rate.
     *
     * @param mbit rate in Mbit/s, at least 0; 0 if unknown.
     * @return the new model; this one if the rate is unknown or not lower.
     */
    CostModel withRate(final int mbit)
    {
        return mbit == 0 || nsPerByte(mbit) <= network.nsPerByte() ? this :
            with(Map.of("network.byte", nsPerByte(mbit)));
    }

    /**
     * Returns whether the bandwidth between hosts is that of a nominal rate.
     *
     * @param mbit rate in Mbit/s, at least 0; 0 if unknown.
     * @return false if it is unknown.
     */
    public boolean hasRate(final int mbit)
    {
        return mbit > 0 && network.nsPerByte() == nsPerByte(mbit);
    }

    private static double nsPerByte(final int mbit)
    {
        return NS_PER_BYTE_AT_ONE_MBIT / mbit;
    }

    /**
     * A copy with some values replaced.
     *
     * @param values values by the names of {@link #values}.
     * @return the new model.
     * @throws IllegalArgumentException if a name is unknown, listing all names, or a value is out of range.
     */
    public CostModel with(final Map<String, Double> values)
    {
        final Map<String, Double> all = values();
        values.forEach((name, value) ->
        {
            if (all.replace(name, value) == null)
            {
                throw new IllegalArgumentException(
                    "unknown \"" + name + "\" in the cost model: must be one of " + String.join(", ", all.keySet()));
            }
        });
        return new CostModel(
            link("host", all), link("network", all), all.get("switch"), all.get("local"), all.get("reduce"),
            all.get("copy"), whole("inline", all), whole("packet", all), whole("host.cores", all),
            all.get("host.yield"));
    }

    private static int whole(final String name, final Map<String, Double> values)
    {
        final double value = values.get(name);
        LinkClass.require(value == Math.rint(value) && Math.abs(value) <= Integer.MAX_VALUE, name, value,
            "a whole number up to " + Integer.MAX_VALUE);
        return (int)value;
    }

    /**
     * Returns all values.
     *
     * @return values by name in display order; times in nanoseconds, lengths in bytes.
     */
    public Map<String, Double> values()
    {
        final Map<String, Double> values = new LinkedHashMap<>();
        put(values, "host", host);
        values.put("host.cores", (double)hostCores);
        values.put("host.yield", yieldNs);
        put(values, "network", network);
        values.put("switch", switchNs);
        values.put("local", localNs);
        values.put("reduce", reduceNsPerByte);
        values.put("copy", copyNsPerByte);
        values.put("inline", (double)inlineBytes);
        values.put("packet", (double)packetBytes);
        return values;
    }

    private static void put(final Map<String, Double> values, final String name, final LinkClass link)
    {
        values.put(name + ".send", link.sendNs());
        values.put(name + ".receive", link.receiveNs());
        values.put(name + ".latency", link.latencyNs());
        values.put(name + ".gap", link.gapNs());
        values.put(name + ".byte", link.nsPerByte());
        values.put(name + ".cpu", link.copiedByCpu() ? 1.0 : 0.0);
    }

    private static LinkClass link(final String name, final Map<String, Double> values)
    {
        try
        {
            return new LinkClass(
                values.get(name + ".send"), values.get(name + ".receive"), values.get(name + ".latency"),
                values.get(name + ".gap"), values.get(name + ".byte"), values.get(name + ".cpu") != 0);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(name + "." + e.getMessage(), e);
        }
    }
}
