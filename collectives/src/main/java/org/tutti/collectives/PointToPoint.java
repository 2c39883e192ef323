/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Calls of two ranks. There are no tags: the n-th send from one rank to another is what that one's n-th receive from it
 * gets, whatever either calls besides, collectives or sends to others. Both must pass the same type and count, else
 * both fail, and the error names both calls. Nothing is sent where there are no elements.
 * <p>
 * A send may return before the other rank receives, or wait for that, like MPI's standard mode: two ranks that both
 * send first, and then receive, may wait for each other until the deadline. {@link #sendrecv} does not, nor do
 * {@link #isend} and {@link #irecv}, whose requests may be awaited in any order: while a thread waits in one call of
 * the communicator, what was started in others goes on. Between ranks of a host a send of up to 4 KiB returns at once,
 * but for the first to that rank, and unless many before it were not received yet. If the ranks disagree about it, or
 * it is never received, a later call or {@link Communicator#close} fails on at least one rank.
 * <p>
 * For each peer and direction, one thread at a time may call, at the same time as others call something else.
 * <p>
 * All throw {@link IllegalArgumentException} if the peer is no rank, or this one, and {@link CollectiveException} if
 * the call failed. On {@link DataBuffer}s the blocking ones allocate nothing, once a call of the same shape was made.
 */
public interface PointToPoint
{
    /**
     * Sends to another rank.
     *
     * @param input read.
     * @param dest  a rank, not this one.
     */
    void send(DataBuffer input, int dest);

    /**
     * Receives from another rank.
     *
     * @param output written.
     * @param source a rank, not this one.
     */
    void recv(DataBuffer output, int source);

    /**
     * Sends and receives at once: as a send and a receive, neither of which waits for the other.
     *
     * @param input  read.
     * @param dest   a rank, not this one; may be the source.
     * @param output written; of any type and count, but must not overlap with the input.
     * @param source a rank, not this one.
     */
    void sendrecv(DataBuffer input, int dest, DataBuffer output, int source);

    /**
     * Starts to send to another rank.
     *
     * @param input not to be written until it is done.
     * @param dest  a rank, not this one.
     * @return the request.
     */
    Request isend(DataBuffer input, int dest);

    /**
     * Starts to receive from another rank.
     *
     * @param output not to be read or written until it is done.
     * @param source a rank, not this one.
     * @return the request.
     */
    Request irecv(DataBuffer output, int source);

    /**
     * Binds a send, which can be started any number of times. Each time counts as a send of its own in the order of
     * those to this rank; the other rank may receive it by any form of receive.
     *
     * @param input not to be written from a start until that one is done.
     * @param dest  a rank, not this one.
     * @return the request, not started; to be closed by the caller.
     */
    PersistentRequest sendInit(DataBuffer input, int dest);

    /**
     * Binds a receive, which can be started any number of times, as {@link #sendInit}.
     *
     * @param output not to be read or written from a start until that one is done.
     * @param source a rank, not this one.
     * @return the request, not started; to be closed by the caller.
     */
    PersistentRequest recvInit(DataBuffer output, int source);

    /**
     * Sends memory that is not registered, staged through memory that is. What is longer than 8 MiB is sent in pieces,
     * and must be received into such memory, too.
     *
     * @param input {@code count} elements.
     * @param count elements.
     * @param type  type of the elements.
     * @param dest  a rank, not this one.
     */
    void send(MemorySegment input, long count, DataType type, int dest);

    /**
     * Receives into memory that is not registered, as {@link #send(MemorySegment, long, DataType, int)} sends.
     *
     * @param output {@code count} elements.
     * @param count  elements.
     * @param type   type of the elements.
     * @param source a rank, not this one.
     */
    void recv(MemorySegment output, long count, DataType type, int source);

    /**
     * Sends and receives memory that is not registered at once, as {@link #sendrecv(DataBuffer, int, DataBuffer, int)}
     * does; staged as {@link #send(MemorySegment, long, DataType, int)} is.
     *
     * @param input       {@code inputCount} elements.
     * @param inputCount  elements to send.
     * @param dest        a rank, not this one; may be the source.
     * @param output      {@code outputCount} elements; must not overlap with the input.
     * @param outputCount elements to receive.
     * @param source      a rank, not this one.
     * @param type        type of the elements of both.
     */
    void sendrecv(
        MemorySegment input, long inputCount, int dest, MemorySegment output, long outputCount, int source,
        DataType type);

    /**
     * Sends all of an array.
     *
     * @param input read.
     * @param dest  a rank, not this one.
     */
    default void send(final float[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.FLOAT32, dest);
    }

    /**
     * Receives all of an array.
     *
     * @param output written.
     * @param source a rank, not this one.
     */
    default void recv(final float[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.FLOAT32, source);
    }

    /**
     * Sends all of an array.
     *
     * @param input read.
     * @param dest  a rank, not this one.
     */
    default void send(final double[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.FLOAT64, dest);
    }

    /**
     * Receives all of an array.
     *
     * @param output written.
     * @param source a rank, not this one.
     */
    default void recv(final double[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.FLOAT64, source);
    }

    /**
     * Sends all of an array.
     *
     * @param input read.
     * @param dest  a rank, not this one.
     */
    default void send(final int[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.INT32, dest);
    }

    /**
     * Receives all of an array.
     *
     * @param output written.
     * @param source a rank, not this one.
     */
    default void recv(final int[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.INT32, source);
    }

    /**
     * Sends all of an array.
     *
     * @param input read.
     * @param dest  a rank, not this one.
     */
    default void send(final long[] input, final int dest)
    {
        send(MemorySegment.ofArray(input), input.length, DataType.INT64, dest);
    }

    /**
     * Receives all of an array.
     *
     * @param output written.
     * @param source a rank, not this one.
     */
    default void recv(final long[] output, final int source)
    {
        recv(MemorySegment.ofArray(output), output.length, DataType.INT64, source);
    }

    /**
     * Sends all of an array, and receives all of another one, at once.
     *
     * @param input  read.
     * @param dest   a rank, not this one; may be the source.
     * @param output written; not the input.
     * @param source a rank, not this one.
     */
    default void sendrecv(final float[] input, final int dest, final float[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.FLOAT32);
    }

    /**
     * Sends all of an array, and receives all of another one, at once.
     *
     * @param input  read.
     * @param dest   a rank, not this one; may be the source.
     * @param output written; not the input.
     * @param source a rank, not this one.
     */
    default void sendrecv(final double[] input, final int dest, final double[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.FLOAT64);
    }

    /**
     * Sends all of an array, and receives all of another one, at once.
     *
     * @param input  read.
     * @param dest   a rank, not this one; may be the source.
     * @param output written; not the input.
     * @param source a rank, not this one.
     */
    default void sendrecv(final int[] input, final int dest, final int[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.INT32);
    }

    /**
     * Sends all of an array, and receives all of another one, at once.
     *
     * @param input  read.
     * @param dest   a rank, not this one; may be the source.
     * @param output written; not the input.
     * @param source a rank, not this one.
     */
    default void sendrecv(final long[] input, final int dest, final long[] output, final int source)
    {
        sendrecv(MemorySegment.ofArray(input), input.length, dest, MemorySegment.ofArray(output), output.length,
            source, DataType.INT64);
    }
}
