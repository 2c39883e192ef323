/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.store.JobStore;

/** Checks the arguments of {@link Bootstrap} methods, uniformly for all implementations. */
public final class Arguments
{
    /** The maximum length of a value in bytes: 64 MiB. */
    public static final int MAX_VALUE_LENGTH = 64 << 20;

    /** The members argument that stands for all ranks. */
    @SuppressWarnings("MutablePublicArray") // It is empty.
    public static final int[] ALL = new int[0];

    private static final long MAX_TIMEOUT_NS = TimeUnit.DAYS.toNanos(1000);

    private Arguments()
    {
    }

    /**
     * Checks a key, or the name of a barrier or allgather.
     *
     * @param key the key.
     * @return the key.
     * @throws IllegalArgumentException if the key is empty or longer than 255 bytes in UTF-8.
     */
    public static String key(final String key)
    {
        final int length = key.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > JobStore.MAX_KEY_LENGTH)
        {
            throw new IllegalArgumentException(
                "a key or name must have 1 to " + JobStore.MAX_KEY_LENGTH + " bytes in UTF-8: " + length);
        }
        return key;
    }

    /**
     * Checks a value.
     *
     * @param key   the key of the value.
     * @param value the value.
     * @return the value.
     * @throws IllegalArgumentException if the value is longer than 64 MiB.
     */
    public static byte[] value(final String key, final byte[] value)
    {
        if (value.length > MAX_VALUE_LENGTH)
        {
            throw new IllegalArgumentException("the value of '" + key + "' has " + value.length +
                " bytes, the limit is " + MAX_VALUE_LENGTH + ": split it over several keys");
        }
        return value;
    }

    /**
     * Checks the members of a barrier or allgather.
     *
     * @param members the members; empty for all ranks.
     * @param rank    the calling rank.
     * @param size    the number of ranks of the job.
     * @return a copy of the members.
     * @throws IllegalArgumentException if the members are not ascending ranks, or do not include the calling rank.
     */
    public static int[] members(final int[] members, final int rank, final int size)
    {
        boolean isMember = members.length == 0;
        int previous = -1;
        for (final int member : members)
        {
            if (member <= previous || member >= size)
            {
                throw new IllegalArgumentException(
                    "members must ascend and be less than " + size + ": " + member + " follows " + previous);
            }
            isMember |= member == rank;
            previous = member;
        }
        if (!isMember)
        {
            throw new IllegalArgumentException("rank " + rank + " is not among the members: only members may call");
        }
        return members.clone();
    }

    /**
     * Checks a timeout.
     *
     * @param timeoutNs the timeout in nanoseconds.
     * @return the timeout, limited to 1,000 days, so that deadlines cannot overflow.
     * @throws IllegalArgumentException if the timeout is negative.
     */
    public static long timeout(final long timeoutNs)
    {
        if (timeoutNs < 0)
        {
            throw new IllegalArgumentException("timeout must not be negative: " + timeoutNs + " ns");
        }
        return Math.min(timeoutNs, MAX_TIMEOUT_NS);
    }
}
