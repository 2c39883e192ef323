/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import java.util.Arrays;
import java.util.List;

/**
 * Thrown on all ranks, with the same message, if a model or a step of any rank is invalid. The communicator stays
 * usable.
 */
public final class DistributedTrainingException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int[] ranks;

    /**
     * Creates an exception.
     *
     * @param message what is wrong, on which ranks, and the fix.
     * @param ranks   the ranks that the message names.
     */
    DistributedTrainingException(final String message, final List<Integer> ranks)
    {
        this(message, ranks, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what is wrong, on which ranks, and the fix.
     * @param ranks   the ranks that the message names.
     * @param cause   the exception of this rank, or null.
     */
    DistributedTrainingException(final String message, final List<Integer> ranks, final Throwable cause)
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
}
