/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Encodes ranks in 4 bytes each, little-endian. */
final class RankCodec
{
    private RankCodec()
    {
    }

    static byte[] encode(final int[] ranks)
    {
        final ByteBuffer buffer =
            ByteBuffer.allocate(Integer.BYTES * ranks.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(ranks);
        return buffer.array();
    }

    static int[] decode(final byte[] bytes)
    {
        final int[] ranks = new int[bytes.length / Integer.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ranks);
        return ranks;
    }
}
