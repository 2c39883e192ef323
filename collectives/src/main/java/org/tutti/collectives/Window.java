/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.time.Duration;

/**
 * Memory of all ranks of a communicator that each of them can read and write without participation of its owner (MPI
 * RMA). Offsets and counts are in elements; all buffers have the window's type.
 * <p>
 * <b>Completion.</b> Methods without the prefix {@code i} block until they are complete: a put is in the target's
 * memory, a get in this rank's. Methods with the prefix return a {@link Request}; until it is done, the buffer must not
 * be written ({@link #iput}), or neither read nor written ({@link #iget}). These methods block only to connect, on the
 * first call for a rank, and for send-queue space: up to 128 messages to a rank may be outstanding. {@link #flush}
 * waits for everything that this rank started: its buffers may be reused, and its puts are in the targets' memory.
 * <p>
 * <b>Order.</b> Puts and gets are not ordered among each other. A <i>signal</i> is ordered after everything that this
 * rank started earlier for the same target, in the signalling thread or in a thread for which the signalling thread has
 * waited: a thread that observes the signal observes the data put before it. A rank may rely on the data of another
 * rank's put once it has observed a signal that the other rank sent after the put, or has completed a call of the
 * communicator that the other rank made after its put was complete. A put is complete when {@link #put} or {@link
 * #flush} has returned, or its request was awaited.
 * <p>
 * <b>Signals.</b> A rank counts signals per source rank, itself included, and signal number. A wait consumes the
 * signals that it waits for: two waits for one signal each need two signals.
 * <p>
 * The first call that targets a rank connects to it, without participation of that rank.
 * <p>
 * Thread-safe: any threads, including virtual threads, may call concurrently. Calls allocate nothing except requests.
 * Each has the deadline of the communicator view that created the window. Invalid arguments throw {@link
 * IllegalArgumentException} or {@link IndexOutOfBoundsException} and have no effect; a call after {@link #close} throws
 * {@link IllegalStateException}. Any other failure throws a {@link CollectiveException} and fails the communicator,
 * too. So does an interrupt before or during a call that waits: it throws a {@link CollectiveInterruptedException}.
 */
public interface Window extends AutoCloseable
{
    /** Maximum number of signals per pair of ranks. */
    int MAX_SIGNALS = 1024;

    /**
     * Returns the type of all elements.
     *
     * @return never null.
     */
    DataType type();

    /**
     * Returns the number of elements that a rank has exposed.
     *
     * @param rank rank of the communicator.
     * @return number of elements, from 0.
     */
    long count(int rank);

    /**
     * Returns the number of signals per pair of ranks.
     *
     * @return number of signals, from 1 to {@link #MAX_SIGNALS}.
     */
    int signals();

    /**
     * Returns a view of this window with another deadline.
     *
     * @param timeout timeout of each call through the view, greater than 0; capped at 365 days.
     * @return a view; closing it closes the window.
     */
    Window withTimeout(Duration timeout);

    /**
     * Writes to a rank's memory.
     *
     * @param source       source buffer.
     * @param sourceOffset first element to read in the source.
     * @param count        number of elements, from 0.
     * @param rank         target rank; may be this rank.
     * @param targetOffset first element to write in the target's memory.
     */
    void put(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset);

    /**
     * Starts to write to a rank's memory, as {@link #put}.
     *
     * @param source       source buffer; must not be written until the request is done.
     * @param sourceOffset first element to read in the source.
     * @param count        number of elements, from 0.
     * @param rank         target rank; may be this rank.
     * @param targetOffset first element to write in the target's memory.
     * @return the request; it cannot be cancelled.
     */
    Request iput(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset);

    /**
     * Writes to a rank's memory and then signals the rank.
     *
     * @param source       source buffer.
     * @param sourceOffset first element to read in the source.
     * @param count        number of elements, from 0.
     * @param rank         target rank; may be this rank.
     * @param targetOffset first element to write in the target's memory.
     * @param signal       number of the signal, from 0.
     */
    void putSignal(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset, int signal);

    /**
     * Starts to write to a rank's memory and then signal the rank, as {@link #putSignal}.
     *
     * @param source       source buffer; must not be written until the request is done.
     * @param sourceOffset first element to read in the source.
     * @param count        number of elements, from 0.
     * @param rank         target rank; may be this rank.
     * @param targetOffset first element to write in the target's memory.
     * @param signal       number of the signal, from 0.
     * @return the request; it cannot be cancelled.
     */
    Request iputSignal(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset, int signal);

    /**
     * Reads a rank's memory.
     *
     * @param target       destination buffer.
     * @param targetOffset first element to write in the destination.
     * @param count        number of elements, from 0.
     * @param rank         rank whose memory is read; may be this rank.
     * @param sourceOffset first element to read in that rank's memory.
     */
    void get(DataBuffer target, long targetOffset, long count, int rank, long sourceOffset);

    /**
     * Starts to read a rank's memory, as {@link #get}.
     *
     * @param target       destination buffer; must be neither read nor written until the request is done.
     * @param targetOffset first element to write in the destination.
     * @param count        number of elements, from 0.
     * @param rank         rank whose memory is read; may be this rank.
     * @param sourceOffset first element to read in that rank's memory.
     * @return the request; it cannot be cancelled.
     */
    Request iget(DataBuffer target, long targetOffset, long count, int rank, long sourceOffset);

    /**
     * Signals a rank.
     *
     * @param rank   target rank; may be this rank.
     * @param signal number of the signal, from 0.
     */
    void signal(int rank, int signal);

    /**
     * Starts to signal a rank, as {@link #signal}.
     *
     * @param rank   target rank; may be this rank.
     * @param signal number of the signal, from 0.
     * @return the request; it cannot be cancelled.
     */
    Request isignal(int rank, int signal);

    /**
     * Waits until a number of signals has arrived from a rank, and consumes them.
     *
     * @param rank   source rank; may be this rank.
     * @param signal number of the signal, from 0.
     * @param count  number of signals, from 1.
     */
    void waitSignal(int rank, int signal, long count);

    /**
     * Consumes a number of signals from a rank if that many have arrived.
     *
     * @param rank   source rank; may be this rank.
     * @param signal number of the signal, from 0.
     * @param count  number of signals, from 1.
     * @return false if fewer have arrived; none is consumed then.
     */
    boolean testSignal(int rank, int signal, long count);

    /**
     * Starts to wait for signals, as {@link #waitSignal}: testing or awaiting the request consumes them.
     *
     * @param rank   source rank; may be this rank.
     * @param signal number of the signal, from 0.
     * @param count  number of signals, from 1.
     * @return the request; cancelling it consumes none.
     */
    Request iwaitSignal(int rank, int signal, long count);

    /**
     * Returns the number of signals that have arrived from a rank and are not consumed.
     *
     * @param rank   source rank; may be this rank.
     * @param signal number of the signal, from 0.
     * @return number of signals, from 0.
     */
    long pendingSignals(int rank, int signal);

    /** Waits until everything that this rank started is complete, here and in the targets' memory. */
    void flush();

    /**
     * Waits until everything that this rank started for one target is complete, here and in the target's memory.
     *
     * @param rank target rank; may be this rank.
     */
    void flush(int rank);

    /**
     * Separates the puts and gets of all ranks before the fence from those after it: a {@link #flush} followed by a
     * barrier of the communicator. Counts as a call of the communicator, but is not allowed in a group. Flush and
     * barrier share one deadline.
     */
    void fence();

    /**
     * Closes the window. Collective: all ranks call it, in the same order relative to their calls of the communicator,
     * unless the communicator is closed first or has failed. Waits for everything that this rank started, and for the
     * other ranks: afterwards no rank changes this rank's memory. Idempotent.
     */
    @Override
    void close();
}
