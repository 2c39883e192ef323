/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.Arrays;
import java.util.List;

/**
 * Thrown on all ranks, with the same message, if some ranks cannot load LightGBM, or their parameters or data do not
 * fit together. The communicator stays usable.
 */
public final class LightGbmException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int[] ranks;

    /**
     * Creates an exception.
     *
     * @param message what is wrong, on which ranks, and the fix.
     * @param cause   the error of this rank, or null.
     * @param ranks   the ranks that the message names.
     */
    LightGbmException(final String message, final Throwable cause, final List<Integer> ranks)
    {
        super(message, cause);
        this.ranks = ranks.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns the ranks that have the problem, or that differ.
     *
     * @return ranks in ascending order.
     */
    public List<Integer> ranks()
    {
        return Arrays.stream(ranks).boxed().toList();
    }

    /**
     * Names ranks in a message.
     *
     * @param ranks at least one rank.
     * @return text such as {@code rank 3} or {@code ranks 0, 2}.
     */
    static String name(final List<Integer> ranks)
    {
        final StringBuilder text = new StringBuilder(ranks.size() == 1 ? "rank " : "ranks ");
        for (int i = 0; i < ranks.size(); i++)
        {
            text.append(i == 0 ? "" : ", ").append(ranks.get(i));
        }
        return text.toString();
    }
}
