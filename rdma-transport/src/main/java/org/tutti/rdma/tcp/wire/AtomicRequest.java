/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

/**
 * The payload of an atomic request (RFC 7306, section 5.2): operation in the last 4 bits of 4 bytes, request identifier
 * (4), STag (4), offset (8), value to add or swap (8), its mask (8), value to compare with (8), its mask (8). The
 * response is the identifier (4) and the previous value (8). Stateless.
 */
public final class AtomicRequest
{
    public static final int SIZE = 52;
    public static final int RESPONSE_SIZE = 12;
    public static final int FETCH_ADD = 0;
    public static final int COMPARE_SWAP = 2;

    private AtomicRequest()
    {
    }

    /**
     * Writes a request with full masks.
     *
     * @param payload   address of the payload.
     * @param operation {@link #FETCH_ADD} or {@link #COMPARE_SWAP}.
     * @param id        identifier that the response repeats.
     * @param stag      STag of the responder's region.
     * @param offset    offset of the target.
     * @param value     value to add or to store.
     * @param compare   value to compare with.
     */
    public static void put(final long payload, final int operation, final int id, final int stag, final long offset,
        final long value, final long compare)
    {
        Fpdu.putInt(payload, operation);
        Fpdu.putInt(payload + 4, id);
        Fpdu.putInt(payload + 8, stag);
        Fpdu.putLong(payload + 12, offset);
        Fpdu.putLong(payload + 20, value);
        // An add whose mask has no bit set carries over all bits (RFC 7306, section 5.1.1).
        Fpdu.putLong(payload + 28, operation == FETCH_ADD ? 0 : -1);
        Fpdu.putLong(payload + 36, compare);
        Fpdu.putLong(payload + 44, operation == FETCH_ADD ? 0 : -1);
    }

    /**
     * Whether the operation and the masks are those that {@link #put} writes.
     *
     * @param payload address of the payload.
     * @return false for a masked or unknown operation.
     */
    public static boolean isSupported(final long payload)
    {
        final int operation = Fpdu.getInt(payload);
        final long mask = operation == FETCH_ADD ? 0 : -1;
        return (operation == FETCH_ADD || operation == COMPARE_SWAP) && Fpdu.getLong(payload + 28) == mask &&
            Fpdu.getLong(payload + 44) == mask;
    }

    public static int operation(final long payload)
    {
        return Fpdu.getInt(payload);
    }

    public static int id(final long payload)
    {
        return Fpdu.getInt(payload + 4);
    }

    public static int stag(final long payload)
    {
        return Fpdu.getInt(payload + 8);
    }

    public static long offset(final long payload)
    {
        return Fpdu.getLong(payload + 12);
    }

    public static long value(final long payload)
    {
        return Fpdu.getLong(payload + 20);
    }

    public static long compare(final long payload)
    {
        return Fpdu.getLong(payload + 36);
    }
}
