/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Point-to-point communication of memory that is not registered: segments, and whole arrays. Messages of up to 4 KiB
 * are copied, longer ones go directly between processes of one host if one side is registered, and otherwise through
 * registered memory of up to 8 MiB. As {@link PointToPoint}.
 */
public interface ArrayPointToPoint
{
    /** Source of a receive that matches messages from any rank. The rank connects to all others. */
    int ANY_SOURCE = -1;
    /** Tag of a receive that matches messages with any tag. */
    int ANY_TAG = -1;

    /**
     * Sends elements with tag 0.
     *
     * @param input {@code count} elements.
     * @param count number of elements.
     * @param type  type of the elements.
     * @param dest  receiving rank, not this one.
     */
    default void send(final MemorySegment input, final long count, final DataType type, final int dest)
    {
        send(input, count, type, dest, 0);
    }

    /**
     * Sends elements.
     *
     * @param input {@code count} elements.
     * @param count number of elements.
     * @param type  type of the elements.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     */
    void send(MemorySegment input, long count, DataType type, int dest, int tag);

    /**
     * Receives elements with tag 0.
     *
     * @param output memory for {@code count} elements.
     * @param count  maximum number of elements.
     * @param type   type of the elements.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void recv(final MemorySegment output, final long count, final DataType type, final int source)
    {
        recv(output, count, type, source, 0, null);
    }

    /**
     * Receives elements.
     *
     * @param output memory for {@code count} elements.
     * @param count  maximum number of elements.
     * @param type   type of the elements.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     */
    default void recv(
        final MemorySegment output, final long count, final DataType type, final int source, final int tag)
    {
        recv(output, count, type, source, tag, null);
    }

    /**
     * Receives elements.
     *
     * @param output memory for {@code count} elements.
     * @param count  maximum number of elements.
     * @param type   type of the elements.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    void recv(MemorySegment output, long count, DataType type, int source, int tag, MessageStatus status);

    /**
     * Sends and receives concurrently with tag 0: neither waits for the other.
     *
     * @param input       {@code inputCount} elements.
     * @param inputCount  number of elements to send.
     * @param dest        receiving rank, not this one; may be the source.
     * @param output      memory for {@code outputCount} elements; must not overlap the input.
     * @param outputCount maximum number of elements to receive.
     * @param source      sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param type        type of the elements of input and output.
     */
    void sendrecv(
        MemorySegment input, long inputCount, int dest, MemorySegment output, long outputCount, int source,
        DataType type);

    /**
     * Sends all elements of an array with tag 0.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final float[] input, final int dest)
    {
        send(input, dest, 0);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     */
    default void send(final float[] input, final int dest, final int tag)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.FLOAT32, dest, tag);
    }

    /**
     * Receives a message with tag 0 into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void recv(final float[] output, final int source)
    {
        recv(output, source, 0, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     */
    default void recv(final float[] output, final int source, final int tag)
    {
        recv(output, source, tag, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    default void recv(final float[] output, final int source, final int tag, final MessageStatus status)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.FLOAT32, source, tag, status);
    }

    /**
     * Sends all elements of an array and receives a message into another one, both with tag 0.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void sendrecv(final float[] input, final int dest, final float[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.FLOAT32);
    }

    /**
     * Sends all elements of an array with tag 0.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final double[] input, final int dest)
    {
        send(input, dest, 0);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     */
    default void send(final double[] input, final int dest, final int tag)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.FLOAT64, dest, tag);
    }

    /**
     * Receives a message with tag 0 into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void recv(final double[] output, final int source)
    {
        recv(output, source, 0, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     */
    default void recv(final double[] output, final int source, final int tag)
    {
        recv(output, source, tag, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    default void recv(final double[] output, final int source, final int tag, final MessageStatus status)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.FLOAT64, source, tag, status);
    }

    /**
     * Sends all elements of an array and receives a message into another one, both with tag 0.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void sendrecv(final double[] input, final int dest, final double[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.FLOAT64);
    }

    /**
     * Sends all elements of an array with tag 0.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final int[] input, final int dest)
    {
        send(input, dest, 0);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     */
    default void send(final int[] input, final int dest, final int tag)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.INT32, dest, tag);
    }

    /**
     * Receives a message with tag 0 into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void recv(final int[] output, final int source)
    {
        recv(output, source, 0, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     */
    default void recv(final int[] output, final int source, final int tag)
    {
        recv(output, source, tag, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    default void recv(final int[] output, final int source, final int tag, final MessageStatus status)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.INT32, source, tag, status);
    }

    /**
     * Sends all elements of an array and receives a message into another one, both with tag 0.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void sendrecv(final int[] input, final int dest, final int[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.INT32);
    }

    /**
     * Sends all elements of an array with tag 0.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final long[] input, final int dest)
    {
        send(input, dest, 0);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     */
    default void send(final long[] input, final int dest, final int tag)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.INT64, dest, tag);
    }

    /**
     * Receives a message with tag 0 into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void recv(final long[] output, final int source)
    {
        recv(output, source, 0, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     */
    default void recv(final long[] output, final int source, final int tag)
    {
        recv(output, source, tag, null);
    }

    /**
     * Receives a message into an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    default void recv(final long[] output, final int source, final int tag, final MessageStatus status)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.INT64, source, tag, status);
    }

    /**
     * Sends all elements of an array and receives a message into another one, both with tag 0.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void sendrecv(final long[] input, final int dest, final long[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.INT64);
    }
}
