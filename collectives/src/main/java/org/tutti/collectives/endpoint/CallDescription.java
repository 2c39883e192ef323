/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

/**
 * What a rank called, in the words of the caller: all ranks of a call must agree on it. Types and operations go by
 * their names, which say all there is to agree on, so that those which only the caller knows can be told to peers.
 *
 * @param collective collective; null for one that makes communicators.
 * @param type       name of the elements' type, empty for a barrier.
 * @param op         name of a reduction's operation, else empty.
 * @param count      elements: of the buffers, of a block, or of all blocks if they differ; 0 if each rank has its own;
 *                   or ranks.
 * @param root       the root, or which {@link Creation} it is, or 0 where there is none.
 * @param algorithm  a hash of what was chosen to do it, or of ranks.
 */
public record CallDescription(Collective collective, String type, String op, long count, int root, int algorithm)
{
    public static CallDescription of(
        final Collective collective, final DataType type, final ReduceOp op, final long count, final int root,
        final int algorithm)
    {
        return new CallDescription(collective, type == null ? "" : type.shortName(), op == null ? "" : op.shortName(),
            count, root, algorithm);
    }

    /**
     * A hash for {@link Immediate}.
     *
     * @return 20 bits; equal for equal descriptions.
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
            if (!collective.hasOwnBlocks())
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
