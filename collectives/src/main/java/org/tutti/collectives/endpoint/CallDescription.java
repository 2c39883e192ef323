/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

/**
 * The description of a call, on which all ranks must agree. Types and operations are represented by their names, which
 * determine compatibility, so that user-defined ones can be sent to peers.
 *
 * @param collective collective; null for a {@link Creation}.
 * @param type       name of the element type, empty for a barrier.
 * @param op         name of the reduction operation, else empty.
 * @param count      number of elements of the buffers, of a block, or of all blocks together if their lengths differ; 0
 *                   if each rank passes its own counts; for a {@link Creation}, the number of ranks or of signals; to
 *                   close a window, the sequence number of the call that created it.
 * @param root       root, or ordinal of the {@link Creation}, or 0 if there is neither.
 * @param algorithm  hash of the algorithm and its parameters, or of the ranks passed to a {@link Creation}.
 */
public record CallDescription(Collective collective, String type, String op, long count, int root, int algorithm)
{
    /** The algorithm of an exchange that precedes a long call. */
    private static final int AGREEMENT = 0x6d656d;

    public static CallDescription of(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final int algorithm)
    {
        return new CallDescription(collective, type == null ? "" : type.shortName(), op == null ? "" : op.shortName(),
            count, root, algorithm);
    }

    /** Returns the description of the exchange that precedes a long blocking call; it names that call. */
    public static CallDescription ofAgreement(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root)
    {
        return of(collective, type, op, count, root, AGREEMENT);
    }

    /** Returns whether this describes an exchange that precedes a long blocking call. */
    public boolean isAgreement()
    {
        return algorithm == AGREEMENT;
    }

    /**
     * Returns the hash of this description that messages carry in their {@link Immediate}.
     *
     * @return hash of 20 bits; equal for equal descriptions.
     */
    public int fingerprint()
    {
        long hash = collective.ordinal();
        hash = hash * 31 + type.hashCode();
        hash = hash * 0x9E3779B97F4A7C15L + op.hashCode();
        hash = hash * 0x9E3779B97F4A7C15L + count;
        hash = hash * 0x9E3779B97F4A7C15L + root;
        hash = hash * 0x9E3779B97F4A7C15L + algorithm;
        hash ^= hash >>> 32;
        hash *= 0x9E3779B97F4A7C15L;
        return (int)(hash >>> 44);
    }

    @Override
    public String toString()
    {
        if (collective == null)
        {
            return Creation.values()[root].text(count, type);
        }
        final StringBuilder text = new StringBuilder(collective.name().toLowerCase(java.util.Locale.ROOT));
        if (!type.isEmpty())
        {
            text.append('(');
            if (!collective.hasLocalCounts())
            {
                text.append(count).append(" × ");
            }
            text.append(type);
            if (!op.isEmpty())
            {
                text.append(", ").append(op);
            }
            if (collective.hasRoot())
            {
                text.append(", root ").append(root);
            }
            text.append(')');
        }
        return text.toString();
    }
}
