/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.select.model.LinkClass;

import java.util.Map;

/**
 * Slow ranks and packet losses. Random choices depend only on the seed, not on the order of computation. Immutable.
 *
 * @param slowRanks     slowdown factor of the processor by rank, at least 1.
 * @param slowFraction  probability, from 0 to 1, that a rank not in {@code slowRanks} is slow; the seed determines
 *                      which ranks are slow.
 * @param slowFactor    slowdown factor of the processors of the ranks that the seed selects, at least 1.
 * @param loss          probability that a packet is lost, from 0 to 0.5.
 * @param retransmitNs  retransmission timeout in nanoseconds.
 * @param seed          seed of all random choices.
 */
public record Perturbation(
    Map<Integer, Double> slowRanks, double slowFraction, double slowFactor, double loss, double retransmitNs,
    long seed)
{
    /** No perturbation. */
    public static final Perturbation NONE = new Perturbation(Map.of(), 0, 1, 0, 0, 0);

    /**
     * Validates the ranges.
     *
     * @throws IllegalArgumentException naming the value and its limits.
     */
    public Perturbation
    {
        slowRanks = Map.copyOf(slowRanks);
        slowRanks.values().forEach((factor) -> requireFactor(factor));
        requireFactor(slowFactor);
        if (!(slowFraction >= 0 && slowFraction <= 1))
        {
            throw new IllegalArgumentException("fraction of slow ranks=" + slowFraction + ": must be from 0 to 1");
        }
        if (!(loss >= 0 && loss <= 0.5))
        {
            throw new IllegalArgumentException("loss=" + loss + ": must be from 0 to 0.5");
        }
        LinkClass.requireTime("retransmission", retransmitNs);
    }

    boolean isNone()
    {
        return slowRanks.isEmpty() && slowFraction == 0 && loss == 0;
    }

    /** Slowdown factor of a rank's processor. */
    double factor(final int rank)
    {
        final Double named = slowRanks.get(rank);
        return named != null ? named : uniform(rank, -1, 0) < slowFraction ? slowFactor : 1;
    }

    /** Number of times that a message is lost before it arrives. */
    int losses(final int rank, final int step, final long packets)
    {
        final double arrives = Math.pow(1 - loss, (double)packets);
        int losses = 0;
        while (losses < 100 && uniform(rank, step, losses) >= arrives)
        {
            losses++;
        }
        return losses;
    }

    private double uniform(final int rank, final int step, final int attempt)
    {
        long hash = mix(seed + 0x9E3779B97F4A7C15L);
        hash = mix(hash ^ ((long)rank << 32 | (step & 0xFFFFFFFFL)));
        hash = mix(hash + attempt);
        return (hash >>> 11) * 0x1p-53;
    }

    /** The finalizer of SplitMix64: Steele, Lea and Flood, OOPSLA 2014, doi:10.1145/2660193.2660195. */
    private static long mix(final long value)
    {
        long z = value;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    private static void requireFactor(final double factor)
    {
        if (!(factor >= 1 && factor <= 1e6))
        {
            throw new IllegalArgumentException("factor of a slow rank=" + factor + ": must be from 1 to 1e6");
        }
    }
}
