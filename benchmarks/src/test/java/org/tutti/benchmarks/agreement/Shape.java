/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The collectives that MPI has too, and an exchange of messages with tags: number of elements that each rank sends and
 * receives, and the reduced ranks.
 */
enum Shape
{
    ALLREDUCE(true),
    REDUCE(true),
    BROADCAST(false),
    ALLGATHER(false),
    GATHER(false),
    REDUCE_SCATTER(true),
    SCATTER(false),
    ALLTOALL(false),
    SCAN(true),
    EXSCAN(true),
    ALLGATHERV(false),
    GATHERV(false),
    REDUCE_SCATTERV(true),
    SCATTERV(false),
    ALLTOALLV(false),
    /** As alltoallv, but each block is sent as two messages, which are received in the opposite order. */
    MESSAGES(false);

    private final boolean reduces;

    Shape(final boolean reduces)
    {
        this.reduces = reduces;
    }

    boolean reduces()
    {
        return reduces;
    }

    boolean hasRoot()
    {
        return switch (this)
        {
            case REDUCE, BROADCAST, GATHER, SCATTER, GATHERV, SCATTERV -> true;
            default -> false;
        };
    }

    /**
     * Whether the in-place form is possible: broadcast always is in place; what is exchanged with different counts
     * cannot be.
     */
    boolean canBeInPlace()
    {
        return this != BROADCAST && !isMatrix();
    }

    /** Whether a case has a count for each sender and receiver. */
    private boolean isMatrix()
    {
        return this == ALLTOALLV || this == MESSAGES;
    }

    /** Number of counts of a case. */
    int counts(final int ranks)
    {
        return isMatrix() ? ranks * ranks : name().endsWith("V") ? ranks : 1;
    }

    /** Name in the C program. */
    String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    int inputCount(final AgreementCase of, final int rank)
    {
        final boolean atRoot = rank == of.root();
        return switch (this)
        {
            case ALLREDUCE, REDUCE, ALLGATHER, GATHER, SCAN, EXSCAN -> of.count(0);
            case BROADCAST -> atRoot ? of.count(0) : 0;
            case REDUCE_SCATTER, ALLTOALL -> of.ranks() * of.count(0);
            case SCATTER -> atRoot ? of.ranks() * of.count(0) : 0;
            case ALLGATHERV, GATHERV -> of.count(rank);
            case REDUCE_SCATTERV -> of.total();
            case SCATTERV -> atRoot ? of.total() : 0;
            case ALLTOALLV, MESSAGES -> IntStream.of(of.sent(rank)).sum();
        };
    }

    int outputCount(final AgreementCase of, final int rank)
    {
        final boolean atRoot = rank == of.root();
        return switch (this)
        {
            case ALLREDUCE, BROADCAST, REDUCE_SCATTER, SCATTER, SCAN -> of.count(0);
            case REDUCE -> atRoot ? of.count(0) : 0;
            case ALLGATHER, ALLTOALL -> of.ranks() * of.count(0);
            case GATHER -> atRoot ? of.ranks() * of.count(0) : 0;
            case EXSCAN -> rank == 0 ? 0 : of.count(0);
            case ALLGATHERV -> of.total();
            case GATHERV -> atRoot ? of.total() : 0;
            case REDUCE_SCATTERV, SCATTERV -> of.count(rank);
            case ALLTOALLV, MESSAGES -> IntStream.of(of.received(rank)).sum();
        };
    }

    /** Number of ranks whose inputs are reduced into a rank's output, starting at rank 0. */
    int reduced(final AgreementCase of, final int rank)
    {
        return this == SCAN ? rank + 1 : this == EXSCAN ? rank : of.ranks();
    }

    /** Index of the input element for the first element of a rank's output. */
    int firstReduced(final AgreementCase of, final int rank)
    {
        return this == REDUCE_SCATTER ? rank * of.count(0) :
            this == REDUCE_SCATTERV ? IntStream.range(0, rank).map(of::count).sum() : 0;
    }
}
