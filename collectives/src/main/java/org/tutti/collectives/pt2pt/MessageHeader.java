/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.agrona.UnsafeApi;
import org.tutti.collectives.DataType;

/**
 * The header of a message in the inbox of its receiver, at an address. In native byte order, like the data.
 * <pre>
 *  offset  bytes  field
 *       0      4  kind: EAGER, READY_TO_SEND or CLEAR_TO_SEND
 *       4      4  tag; in CLEAR_TO_SEND the id of the receive
 *       8      8  length of the data in bytes; in CLEAR_TO_SEND that of the range to send next
 *      16      4  hash of the name of the element type
 *      20      4  size of an element in bytes
 *      24      4  READY_TO_SEND, CLEAR_TO_SEND: id of the send
 *      28      4  READY_TO_SEND: remote key of the sender's memory; CLEAR_TO_SEND: of the receiver's
 *      32      8  READY_TO_SEND: address of the sender's memory, or 0 if it is not registered;
 *                 CLEAR_TO_SEND: address in the receiver at which the range begins
 * </pre>
 * The data of an EAGER message follows at offset 24.
 */
final class MessageHeader
{
    static final int EAGER = 1;
    static final int READY_TO_SEND = 2;
    static final int CLEAR_TO_SEND = 3;
    /** Offset of the data of an eager message in bytes. */
    static final int EAGER_LENGTH = 24;
    /** Length of the header of the other kinds in bytes. */
    static final int LENGTH = 40;

    private MessageHeader()
    {
    }

    static void encode(final long address, final int kind, final int tag, final long length, final DataType type)
    {
        UnsafeApi.putInt(address, kind);
        UnsafeApi.putInt(address + 4, tag);
        UnsafeApi.putLong(address + 8, length);
        UnsafeApi.putInt(address + 16, typeHash(type));
        UnsafeApi.putInt(address + 20, type.size());
    }

    static void encodeMemory(final long address, final int sendId, final int rkey, final long memory)
    {
        UnsafeApi.putInt(address + 24, sendId);
        UnsafeApi.putInt(address + 28, rkey);
        UnsafeApi.putLong(address + 32, memory);
    }

    static int kind(final long address)
    {
        return UnsafeApi.getInt(address);
    }

    static int tag(final long address)
    {
        return UnsafeApi.getInt(address + 4);
    }

    static long length(final long address)
    {
        return UnsafeApi.getLong(address + 8);
    }

    static int typeHash(final long address)
    {
        return UnsafeApi.getInt(address + 16);
    }

    static int elementSize(final long address)
    {
        return UnsafeApi.getInt(address + 20);
    }

    static int sendId(final long address)
    {
        return UnsafeApi.getInt(address + 24);
    }

    static int rkey(final long address)
    {
        return UnsafeApi.getInt(address + 28);
    }

    static long memory(final long address)
    {
        return UnsafeApi.getLong(address + 32);
    }

    static int typeHash(final DataType type)
    {
        return type.shortName().hashCode();
    }

    /** Returns the type with a hash and a size: an opaque type without a known name if it is not predefined. */
    static DataType type(final int typeHash, final int elementSize)
    {
        for (final DataType type : DataType.values())
        {
            if (typeHash(type) == typeHash)
            {
                return type;
            }
        }
        return DataType.opaque("opaque", elementSize);
    }
}
