/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.OperandOrder;
import org.tutti.collectives.wireup.Team;

import java.util.Arrays;

/**
 * Which calls of a group are made as one: allreduces of one type and operation in a row, and broadcasts of one type and
 * root. All ranks must fuse the same, so it depends on nothing but what they agree on: what is called, and how long it
 * is. Fused calls leave the same bits as single ones, because the algorithm that is chosen for all of them together is
 * the one that would be chosen for each, and combines all elements in the same order, wherever they are.
 * <p>
 * Not thread-safe. Allocates when a batch is longer than those before.
 */
public final class Fusion
{
    /** As many as can be told apart in the low bits of an address that is shifted. */
    static final int MAX_CALLS = 1 << 14;
    private static final int CALL_BITS = 15;

    private final AlgorithmSelector selector;
    private final int rank;
    private final HostMap hosts;
    private final boolean reproducible;
    private final long maxLength;
    private long[] places = new long[64];

    /**
     * For a communicator.
     *
     * @param configuration configuration of the communicator.
     * @param team          team.
     */
    public Fusion(final EngineConfiguration configuration, final Team team)
    {
        selector = team.isDirect() ? configuration.selector() : configuration.selector().withoutPeerAccess();
        reproducible = configuration.reproducible();
        maxLength = configuration.fusionBytes();
        rank = team.rank();
        hosts = team.hosts();
    }

    /**
     * Which calls are made together with the first.
     *
     * @param calls all.
     * @param first index of the first one.
     * @param count count of all.
     * @return the first one that is not; at least the one after the first.
     */
    int end(final CollectiveCall[] calls, final int first, final int count)
    {
        final CollectiveCall call = calls[first];
        int end = first + 1;
        if (!isFusible(call))
        {
            return end;
        }
        final OperandOrder order = order(call);
        final Algorithm algorithm = algorithm(call.collective(), call.length(), order);
        long length = call.length();
        while (end < count && end - first < MAX_CALLS && calls[end].differsInCountOnly(call))
        {
            length += calls[end].length();
            if (length > maxLength || !algorithm(call.collective(), length, order).equals(algorithm) ||
                !algorithm(call.collective(), calls[end].length(), order).equals(algorithm))
            {
                return end;
            }
            end++;
        }
        return end;
    }

    private boolean isFusible(final CollectiveCall call)
    {
        return switch (call.collective())
        {
            case BROADCAST -> true;
            case ALLREDUCE -> algorithm(Collective.ALLREDUCE, call.length(), order(call)).isFusionSafe();
            default -> false;
        };
    }

    private OperandOrder order(final CollectiveCall call)
    {
        return OperandOrder.of(call.type(), call.op(), reproducible);
    }

    private Algorithm algorithm(final Collective collective, final long length, final OperandOrder order)
    {
        return selector.algorithm(collective, hosts, length, order);
    }

    /**
     * Throws if one of the calls that are to be fused reads or writes what another one writes: fused, they do all at
     * once.
     *
     * @param calls all.
     * @param first index of the first call to fuse.
     * @param end   behind the last of them.
     */
    void requireApart(final CollectiveCall[] calls, final int first, final int end)
    {
        final int number = sortPlaces(calls, first, end);
        long readEnd = 0;
        int reader = -1;
        long writtenEnd = 0;
        int writer = -1;
        for (int i = 0; i < number; i++)
        {
            final int index = first + ((int)places[i] >>> 1 & MAX_CALLS - 1);
            final boolean writes = (places[i] & 1) != 0;
            final long begin = places[i] >>> CALL_BITS;
            final long stop = begin + calls[index].length();
            if (begin < writtenEnd || (writes && begin < readEnd))
            {
                throw new IllegalArgumentException("calls " + (begin < writtenEnd ? writer : reader) + " and " +
                    index + " of the group (from 0) use the same memory, and one of them writes it: make one of them " +
                    "in another group");
            }
            if (writes && stop > writtenEnd)
            {
                writtenEnd = stop;
                writer = index;
            }
            if (!writes && stop > readEnd)
            {
                readEnd = stop;
                reader = index;
            }
        }
    }

    /** What is read and written, by address: address, call, and whether it is written. */
    private int sortPlaces(final CollectiveCall[] calls, final int first, final int end)
    {
        int number = 0;
        if (places.length < 2 * (end - first))
        {
            places = new long[4 * (end - first)];
        }
        for (int i = first; i < end; i++)
        {
            final CollectiveCall call = calls[i];
            final long input = call.input().memory().address();
            final long output = call.output().memory().address();
            if (call.length() > 0 && call.writes(rank))
            {
                places[number++] = output << CALL_BITS | (i - first) << 1 | 1;
            }
            if (call.length() > 0 && call.reads(rank) && !(call.writes(rank) && input == output))
            {
                places[number++] = input << CALL_BITS | (i - first) << 1;
            }
        }
        Arrays.sort(places, 0, number);
        return number;
    }
}
