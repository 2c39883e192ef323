/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

/**
 * What a rank called, in the words of the caller: all ranks of a call must agree on it.
 *
 * @param collective which; null for one that makes communicators.
 * @param type       of the elements, null for a barrier.
 * @param op         of a reduction, else null.
 * @param count      elements: of the buffers, of a block, or of all blocks if they differ; 0 if each rank has its own;
 *                   or ranks.
 * @param root       the root, or which {@link Creation} it is, or 0 where there is none.
 * @param algorithm  a hash of what was chosen to do it, or of ranks.
 */
record CallDescription(Collective collective, DataType type, ReduceOp op, long count, int root, int algorithm)
{
    /**
     * A hash for {@link Immediate}.
     *
     * @return 20 bits; equal for equal descriptions.
     */
    int fingerprint()
    {
        long hash = collective.ordinal();
        hash = hash * 31 + (type == null ? 7 : type.ordinal());
        hash = hash * 31 + (op == null ? 7 : op.ordinal());
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
            return Creation.values()[root].text(count);
        }
        final StringBuilder text = new StringBuilder(collective.name().toLowerCase(java.util.Locale.ROOT));
        if (type != null)
        {
            text.append('(');
            if (!collective.hasOwnBlocks())
            {
                text.append(count).append(" × ");
            }
            text.append(type.shortName());
            if (op != null)
            {
                text.append(", ").append(op.name().toLowerCase(java.util.Locale.ROOT));
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
