/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

/**
 * The immediate data of point-to-point messages: 4 bits of kind, 28 bits of value. HELLO, WAKE and CLOSE are those of
 * {@link org.tutti.collectives.endpoint.Immediate}.
 */
final class MessageImmediate
{
    /** A message is in the inbox; the value is its offset in the ring in units. */
    static final int MESSAGE = 0;
    /** A requested range has been written; the value is the id of the receive. */
    static final int DATA = 1;
    /** The receiver has copied the data; the value is the id of the send. */
    static final int COPIED = 2;
    /** The credits in the inbox have changed. */
    static final int CREDITS = 3;

    private static final int VALUE_BITS = 28;
    private static final int VALUE_MASK = (1 << VALUE_BITS) - 1;

    private MessageImmediate()
    {
    }

    static int of(final int kind, final int value)
    {
        return kind << VALUE_BITS | value;
    }

    static int value(final int immediate)
    {
        return immediate & VALUE_MASK;
    }
}
