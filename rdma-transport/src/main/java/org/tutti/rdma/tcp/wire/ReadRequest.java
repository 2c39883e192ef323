/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

/**
 * The payload of a read request (RFC 5040, section 4.4): sink STag (4), sink offset (8), length (4), source STag (4),
 * source offset (8). Stateless.
 */
public final class ReadRequest
{
    public static final int SIZE = 28;

    private ReadRequest()
    {
    }

    /**
     * Writes a request.
     *
     * @param payload    address of the payload.
     * @param sink       STag that the response names.
     * @param sinkOffset offset that the response starts at.
     * @param length     length in bytes, unsigned.
     * @param source     STag of the responder's region.
     * @param offset     offset of the source.
     */
    public static void put(final long payload, final int sink, final long sinkOffset, final int length,
        final int source, final long offset)
    {
        Fpdu.putInt(payload, sink);
        Fpdu.putLong(payload + 4, sinkOffset);
        Fpdu.putInt(payload + 12, length);
        Fpdu.putInt(payload + 16, source);
        Fpdu.putLong(payload + 20, offset);
    }

    public static int sink(final long payload)
    {
        return Fpdu.getInt(payload);
    }

    public static long sinkOffset(final long payload)
    {
        return Fpdu.getLong(payload + 4);
    }

    /**
     * The length to read.
     *
     * @param payload address of the payload.
     * @return length in bytes, from 0 to 2^32 - 1.
     */
    public static long length(final long payload)
    {
        return Fpdu.getInt(payload + 12) & 0xFFFF_FFFFL;
    }

    public static int source(final long payload)
    {
        return Fpdu.getInt(payload + 16);
    }

    public static long sourceOffset(final long payload)
    {
        return Fpdu.getLong(payload + 20);
    }
}
