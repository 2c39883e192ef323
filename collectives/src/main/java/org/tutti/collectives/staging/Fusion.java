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
 * Selects the calls of a group that are fused: consecutive allreduces of one type and operation, and consecutive
 * broadcasts of one type and root. All ranks must fuse the same calls, so the selection depends only on what they agree
 * on: the calls and their lengths. Fused calls give the same bits as single ones, because the algorithm chosen for the
 * fused call is the one chosen for each, and combines all elements in the same order regardless of their position.
 * <p>
 * Not thread-safe. Allocates if a batch is longer than those before.
 */
public final class Fusion
{
    /** Maximum number of fused calls: {@link #sortAccesses} encodes a call's index in bits below a shifted address. */
    static final int MAX_CALLS = 1 << 14;
    private static final int CALL_BITS = 15;

    private final AlgorithmSelector selector;
    private final int rank;
    private final HostMap hosts;
    private final boolean reproducible;
    private final long maxLength;
    private long[] accesses = new long[64];

    /**
     * Creates the selection for the calls of a communicator.
     *
     * @param configuration configuration of the communicator.
     * @param team          team of the communicator.
     */
    public Fusion(final EngineConfiguration configuration, final Team team)
    {
        selector = team.selector();
        reproducible = configuration.reproducible();
        maxLength = configuration.fusionBytes();
        rank = team.rank();
        hosts = team.hosts();
    }

    /**
     * Finds the calls that are fused with a given one.
     *
     * @param calls all calls.
     * @param first index of the given call, which is the first to fuse.
     * @param count number of calls.
     * @return index of the first call that is not fused with the given one; at least {@code first + 1}.
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
     * Throws if one of the calls to fuse reads or writes memory that another one writes: fused calls access their
     * buffers at the same time.
     *
     * @param calls all calls.
     * @param first index of the first call to fuse.
     * @param end   index after the last one.
     */
    void requireApart(final CollectiveCall[] calls, final int first, final int end)
    {
        final int number = sortAccesses(calls, first, end);
        long readEnd = 0;
        int reader = -1;
        long writtenEnd = 0;
        int writer = -1;
        for (int i = 0; i < number; i++)
        {
            final int index = first + ((int)accesses[i] >>> 1 & MAX_CALLS - 1);
            final boolean writes = (accesses[i] & 1) != 0;
            final long begin = accesses[i] >>> CALL_BITS;
            final long stop = begin + calls[index].length();
            if (begin < writtenEnd || (writes && begin < readEnd))
            {
                throw new IllegalArgumentException("calls " + (begin < writtenEnd ? writer : reader) + " and " +
                    index + " of the group (from 0) use the same memory, and one of them writes it: move one of them " +
                    "to another group");
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

    /** Collects and sorts the accesses to memory, encoded as address, call and whether it is a write. */
    private int sortAccesses(final CollectiveCall[] calls, final int first, final int end)
    {
        int number = 0;
        if (accesses.length < 2 * (end - first))
        {
            accesses = new long[4 * (end - first)];
        }
        for (int i = first; i < end; i++)
        {
            final CollectiveCall call = calls[i];
            final long input = call.input().address();
            final long output = call.output().address();
            if (call.length() > 0 && call.writes(rank))
            {
                accesses[number++] = output << CALL_BITS | (i - first) << 1 | 1;
            }
            if (call.length() > 0 && call.reads(rank) && !(call.writes(rank) && input == output))
            {
                accesses[number++] = input << CALL_BITS | (i - first) << 1;
            }
        }
        Arrays.sort(accesses, 0, number);
        return number;
    }
}
