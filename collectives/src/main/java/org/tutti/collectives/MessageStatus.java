/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * The source, tag, type and length of a message that was received or probed, as {@code MPI_Status}. Use one object for
 * many receives: a receive sets it and allocates nothing.
 * <p>
 * Not thread-safe.
 */
public final class MessageStatus
{
    private int source = PointToPoint.ANY_SOURCE;
    private int tag = PointToPoint.ANY_TAG;
    private long count;
    private DataType type = DataType.UINT8;

    /** Creates a status that no receive has set: its source is {@link PointToPoint#ANY_SOURCE}. */
    public MessageStatus()
    {
    }

    /**
     * Returns the sending rank.
     *
     * @return rank of the communicator, from 0.
     */
    public int source()
    {
        return source;
    }

    /**
     * Returns the tag.
     *
     * @return tag of the message, from 0.
     */
    public int tag()
    {
        return tag;
    }

    /**
     * Returns the length.
     *
     * @return number of elements of the message, from 0: at most that of the buffer.
     */
    public long count()
    {
        return count;
    }

    /**
     * Returns the type of the elements.
     *
     * @return type; after a probe of a message of an opaque type, an opaque type of the same size.
     */
    public DataType type()
    {
        return type;
    }

    /**
     * Sets all fields; called by the receive.
     *
     * @param messageSource sending rank.
     * @param messageTag    tag.
     * @param messageCount  number of elements.
     * @param messageType   type of the elements.
     */
    @SuppressWarnings("ReferenceEquality") // Storing a reference takes longer than comparing it.
    public void set(final int messageSource, final int messageTag, final long messageCount, final DataType messageType)
    {
        source = messageSource;
        tag = messageTag;
        count = messageCount;
        if (type != messageType)
        {
            type = messageType;
        }
    }

    @Override
    public String toString()
    {
        return count + " × " + type + " from rank " + source + ", tag " + tag;
    }
}
