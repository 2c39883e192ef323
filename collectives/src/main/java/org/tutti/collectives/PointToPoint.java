/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Point-to-point communication with tags, as in MPI (MPI: A Message-Passing Interface Standard, version 4.1, chapter
 * 3).
 * <p>
 * <b>Matching.</b> A receive names a source and a tag, or {@link #ANY_SOURCE} and {@link #ANY_TAG}. A message goes to
 * the earliest receive that matches it, and a receive takes the earliest message that matches it: of two messages from
 * one rank that a receive matches, the first one sent is received first. Calls without a tag use tag 0. Sends and
 * receives of buffers, memory segments and arrays match one another.
 * <p>
 * <b>Length and type.</b> A message may be shorter than the buffer that it is received into: the status has its length,
 * and the other elements are unchanged. A message of 0 elements is a message. A longer message, or one of another type,
 * is an error that names both calls, and fails the communicator.
 * <p>
 * <b>Completion.</b> A send returns when its input may be written again, which may be before the message is received,
 * or not, as in MPI's standard mode: two ranks that both send before they receive may block each other until the
 * deadline. {@link #sendrecv} avoids that, as do {@link #isend} and {@link #irecv}, whose requests may be awaited in
 * any order: while a thread waits in one call of the communicator, its requests make progress. A send of up to 4 KiB
 * usually does not wait, unless it is the first to that rank, or 64 KiB of such messages of this rank have not been
 * received. {@link Communicator#close} fails if a message has not been received.
 * <p>
 * <b>Threads.</b> Any number of threads may call at once. If several threads receive with the same source and tag, it
 * is undefined which one gets which message.
 * <p>
 * All methods throw {@link IllegalArgumentException} if a peer is not a rank or is this rank, or a tag is invalid, and
 * {@link CollectiveException} if the call failed. Blocking calls on {@link DataBuffer}s allocate nothing after the
 * first calls.
 */
public interface PointToPoint extends ArrayPointToPoint
{
    /**
     * Sends a buffer to another rank with tag 0.
     *
     * @param input buffer to send.
     * @param dest  receiving rank, not this one.
     */
    default void send(final DataBuffer input, final int dest)
    {
        send(input, dest, 0);
    }

    /**
     * Sends a buffer to another rank.
     *
     * @param input buffer to send.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     */
    void send(DataBuffer input, int dest, int tag);

    /**
     * Receives a message with tag 0.
     *
     * @param output buffer to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void recv(final DataBuffer output, final int source)
    {
        recv(output, source, 0, null);
    }

    /**
     * Receives a message.
     *
     * @param output buffer to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     */
    default void recv(final DataBuffer output, final int source, final int tag)
    {
        recv(output, source, tag, null);
    }

    /**
     * Receives a message.
     *
     * @param output buffer to receive into.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    void recv(DataBuffer output, int source, int tag, MessageStatus status);

    /**
     * Sends and receives concurrently with tag 0: neither waits for the other.
     *
     * @param input  buffer to send.
     * @param dest   receiving rank, not this one; may be the source.
     * @param output buffer to receive into, of any type and count; must not overlap the input.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     */
    default void sendrecv(final DataBuffer input, final int dest, final DataBuffer output, final int source)
    {
        sendrecv(input, dest, 0, output, source, 0, null);
    }

    /**
     * Sends and receives concurrently: neither waits for the other.
     *
     * @param input   buffer to send.
     * @param dest    receiving rank, not this one; may be the source.
     * @param sendTag tag of the message to send, from 0.
     * @param output  buffer to receive into, of any type and count; must not overlap the input.
     * @param source  sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param recvTag tag of the message to receive, from 0, or {@link #ANY_TAG}.
     * @param status  set to the source, tag and length of the message received; may be null.
     */
    void sendrecv(
        DataBuffer input, int dest, int sendTag, DataBuffer output, int source, int recvTag, MessageStatus status);

    /**
     * Starts to send a buffer to another rank with tag 0.
     *
     * @param input buffer to send; must not be written until the request is done.
     * @param dest  receiving rank, not this one.
     * @return the request.
     */
    default Request isend(final DataBuffer input, final int dest)
    {
        return isend(input, dest, 0);
    }

    /**
     * Starts to send a buffer to another rank.
     *
     * @param input buffer to send; must not be written until the request is done.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     * @return the request.
     */
    Request isend(DataBuffer input, int dest, int tag);

    /**
     * Starts to receive a message with tag 0.
     *
     * @param output buffer to receive into; must be neither read nor written until the request is done.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @return the request.
     */
    default ReceiveRequest irecv(final DataBuffer output, final int source)
    {
        return irecv(output, source, 0);
    }

    /**
     * Starts to receive a message. {@link Request#cancel} cancels the receive if no message has matched it.
     *
     * @param output buffer to receive into; must be neither read nor written until the request is done.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @return the request.
     */
    ReceiveRequest irecv(DataBuffer output, int source, int tag);

    /**
     * Creates a persistent send with tag 0, as {@link #sendInit(DataBuffer, int, int)}.
     *
     * @param input buffer to send; must not be written between a start and its completion.
     * @param dest  receiving rank, not this one.
     * @return an inactive request, to be closed by the caller.
     */
    default PersistentRequest sendInit(final DataBuffer input, final int dest)
    {
        return sendInit(input, dest, 0);
    }

    /**
     * Creates a persistent send. Each start is one send; a blocking, nonblocking or persistent receive matches it.
     *
     * @param input buffer to send; must not be written between a start and its completion.
     * @param dest  receiving rank, not this one.
     * @param tag   tag, from 0.
     * @return an inactive request, to be closed by the caller.
     */
    PersistentRequest sendInit(DataBuffer input, int dest, int tag);

    /**
     * Creates a persistent receive with tag 0, as {@link #recvInit(DataBuffer, int, int)}.
     *
     * @param output buffer to receive into; must be neither read nor written between a start and its completion.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @return an inactive request, to be closed by the caller.
     */
    default PersistentRequest recvInit(final DataBuffer output, final int source)
    {
        return recvInit(output, source, 0);
    }

    /**
     * Creates a persistent receive. Each start is one receive.
     *
     * @param output buffer to receive into; must be neither read nor written between a start and its completion.
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @return an inactive request, to be closed by the caller.
     */
    PersistentRequest recvInit(DataBuffer output, int source, int tag);

    /**
     * Waits for a message that a receive would take, and leaves it to be received. Throws if the source, or all other
     * ranks, have closed the communicator and no such message has arrived.
     *
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message; may be null.
     */
    void probe(int source, int tag, MessageStatus status);

    /**
     * Looks for a message that a receive would take, without waiting. Also returns false if the source has closed the
     * communicator, so a program that only probes must know when to stop.
     *
     * @param source sending rank, not this one, or {@link #ANY_SOURCE}.
     * @param tag    tag, from 0, or {@link #ANY_TAG}.
     * @param status set to the source, tag and length of the message, if there is one; may be null.
     * @return whether such a message has arrived.
     */
    boolean iprobe(int source, int tag, MessageStatus status);
}
