/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Point-to-point communication. There are no tags: the n-th send from rank A to rank B matches B's n-th receive from A,
 * regardless of other calls. Both must pass the same type and count; otherwise both fail, and the error names both
 * calls. A call without elements transfers nothing.
 * <p>
 * A send may return before the receiver receives, or wait for it, as in MPI's standard mode: two ranks that both send
 * before they receive may block each other until the deadline. {@link #sendrecv} avoids that, as do {@link #isend} and
 * {@link #irecv}, whose requests may be awaited in any order: while a thread waits in one call of the communicator, its
 * other requests make progress. Between ranks of one host a send of up to 4 KiB returns at once, unless it is the first
 * to that rank or many earlier ones have not been received. If the ranks disagree about such a send, or it is never
 * received, a later call or {@link Communicator#close} fails on at least one rank.
 * <p>
 * One thread at a time may call for each peer and direction; other threads may make other calls concurrently.
 * <p>
 * All methods throw {@link IllegalArgumentException} if the peer is not a rank or is this rank, and {@link
 * CollectiveException} if the call failed. Blocking calls on {@link DataBuffer}s allocate nothing after the first call
 * of the same shape.
 */
public interface PointToPoint
{
    /**
     * Sends a buffer to another rank.
     *
     * @param input buffer to send.
     * @param dest  receiving rank, not this one.
     */
    void send(DataBuffer input, int dest);

    /**
     * Receives a buffer from another rank.
     *
     * @param output buffer to receive into.
     * @param source sending rank, not this one.
     */
    void recv(DataBuffer output, int source);

    /**
     * Sends and receives concurrently: neither waits for the other.
     *
     * @param input  buffer to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output buffer to receive into, of any type and count; must not overlap the input.
     * @param source sending rank, not this one.
     */
    void sendrecv(DataBuffer input, int dest, DataBuffer output, int source);

    /**
     * Starts to send a buffer to another rank.
     *
     * @param input buffer to send; must not be written until the request is done.
     * @param dest  receiving rank, not this one.
     * @return the request.
     */
    Request isend(DataBuffer input, int dest);

    /**
     * Starts to receive a buffer from another rank.
     *
     * @param output buffer to receive into; must be neither read nor written until the request is done.
     * @param source sending rank, not this one.
     * @return the request.
     */
    Request irecv(DataBuffer output, int source);

    /**
     * Creates a persistent send. Each start is one send in the order of sends to this rank; a blocking, nonblocking or
     * persistent receive matches it.
     *
     * @param input buffer to send; must not be written between a start and its completion.
     * @param dest  receiving rank, not this one.
     * @return an inactive request, to be closed by the caller.
     */
    PersistentRequest sendInit(DataBuffer input, int dest);

    /**
     * Creates a persistent receive. Each start is one receive in the order of receives from this rank, as with {@link
     * #sendInit}.
     *
     * @param output buffer to receive into; must be neither read nor written between a start and its completion.
     * @param source sending rank, not this one.
     * @return an inactive request, to be closed by the caller.
     */
    PersistentRequest recvInit(DataBuffer output, int source);

    /**
     * Sends unregistered memory through registered staging memory. More than 8 MiB is sent in segments, and must be
     * received into unregistered memory, too.
     *
     * @param input {@code count} elements.
     * @param count number of elements.
     * @param type  type of the elements.
     * @param dest  receiving rank, not this one.
     */
    void send(MemorySegment input, long count, DataType type, int dest);

    /**
     * Receives into unregistered memory, staged as in {@link #send(MemorySegment, long, DataType, int)}.
     *
     * @param output {@code count} elements.
     * @param count  number of elements.
     * @param type   type of the elements.
     * @param source sending rank, not this one.
     */
    void recv(MemorySegment output, long count, DataType type, int source);

    /**
     * Sends and receives unregistered memory concurrently, as {@link #sendrecv(DataBuffer, int, DataBuffer, int)},
     * staged as in {@link #send(MemorySegment, long, DataType, int)}.
     *
     * @param input       {@code inputCount} elements.
     * @param inputCount  number of elements to send.
     * @param dest        receiving rank, not this one; may be the source.
     * @param output      {@code outputCount} elements; must not overlap the input.
     * @param outputCount number of elements to receive.
     * @param source      sending rank, not this one.
     * @param type        type of the elements of input and output.
     */
    void sendrecv(
        MemorySegment input, long inputCount, int dest, MemorySegment output, long outputCount, int source,
        DataType type);

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final float[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.FLOAT32, dest);
    }

    /**
     * Receives all elements of an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one.
     */
    default void recv(final float[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.FLOAT32, source);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final double[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.FLOAT64, dest);
    }

    /**
     * Receives all elements of an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one.
     */
    default void recv(final double[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.FLOAT64, source);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final int[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.INT32, dest);
    }

    /**
     * Receives all elements of an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one.
     */
    default void recv(final int[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.INT32, source);
    }

    /**
     * Sends all elements of an array.
     *
     * @param input array to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final long[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.INT64, dest);
    }

    /**
     * Receives all elements of an array.
     *
     * @param output array to receive into.
     * @param source sending rank, not this one.
     */
    default void recv(final long[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.INT64, source);
    }

    /**
     * Sends all elements of an array and receives all elements of another one concurrently.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one.
     */
    default void sendrecv(final float[] input, final int dest, final float[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.FLOAT32);
    }

    /**
     * Sends all elements of an array and receives all elements of another one concurrently.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one.
     */
    default void sendrecv(final double[] input, final int dest, final double[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.FLOAT64);
    }

    /**
     * Sends all elements of an array and receives all elements of another one concurrently.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one.
     */
    default void sendrecv(final int[] input, final int dest, final int[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.INT32);
    }

    /**
     * Sends all elements of an array and receives all elements of another one concurrently.
     *
     * @param input  array to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output array to receive into; not the input.
     * @param source sending rank, not this one.
     */
    default void sendrecv(final long[] input, final int dest, final long[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.INT64);
    }
}
