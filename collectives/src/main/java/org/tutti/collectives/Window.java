/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.time.Duration;

/**
 * Memory of all ranks of a communicator that each of them may write and read by itself: the others need not call
 * anything meanwhile. Offsets and counts are those of elements; all buffers have the window's type.
 * <p>
 * <b>Completion.</b> A call without an {@code i} before its name returns when it is done: what was put is in the other
 * rank's memory, what was got is in this one's. A call with one does not wait for that and returns a {@link Request},
 * until whose end the buffer must not be written (by {@link #iput}), or neither read nor written (by {@link #iget}); it
 * waits only for the connection, if it is the first for a rank, and for room among the messages, up to 128, that may be
 * under way to one. {@link #flush} waits for all that this rank started: their buffers are free, and what was put is in
 * the other ranks' memory.
 * <p>
 * <b>Order.</b> Puts and gets have none among each other. A <i>signal</i> is counted after all that this rank started
 * before it for the same rank, by the same thread or one that it has waited for: a thread that has seen the signal sees
 * what was put. A rank learns of what others put by a signal, or by a call of the communicator whose part the other did
 * after the put was done: after {@link #put} had returned, the request was awaited or {@link #flush} called.
 * <p>
 * <b>Signals.</b> A rank counts for each other rank, and itself, those with each number apart. To wait takes them: two
 * waits for one signal each wait for two.
 * <p>
 * The first call that needs another rank connects with it. The other one need not call anything for that, either.
 * <p>
 * Thread-safe: any threads, virtual ones too, may call at the same time. Calls allocate nothing, but for requests. Each
 * has the deadline of the communicator's view that the window was made by. A wrong argument is an {@link
 * IllegalArgumentException} or {@link IndexOutOfBoundsException} and changes nothing, a call after {@link #close} an
 * {@link IllegalStateException}. Any other failure is a {@link CollectiveException} and ends the communicator, too; so
 * is an interrupt, before or during a call, as soon as the call waits: a {@link CollectiveInterruptedException}.
 */
public interface Window extends AutoCloseable
{
    /** The most signals that a rank can have for each other one. */
    int MAX_SIGNALS = 1024;

    /**
     * The type of all elements.
     *
     * @return never null.
     */
    DataType type();

    /**
     * How many elements a rank has opened.
     *
     * @param rank rank of the communicator.
     * @return from 0.
     */
    long count(int rank);

    /**
     * How many signals each rank has for each other one.
     *
     * @return from 1 to {@link #MAX_SIGNALS}.
     */
    int signals();

    /**
     * The same window with another deadline for the calls made through the view.
     *
     * @param timeout timeout of each call, more than 0; longer than 365 days is 365 days.
     * @return a view; closing it closes the window.
     */
    Window withTimeout(Duration timeout);

    /**
     * Writes into a rank's memory.
     *
     * @param source       read.
     * @param sourceOffset its first element to be written.
     * @param count        number of elements, from 0.
     * @param rank         any, this one too.
     * @param targetOffset the first element in that rank's memory.
     */
    void put(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset);

    /**
     * Starts to write into a rank's memory, as {@link #put}.
     *
     * @param source       not to be written until it is done.
     * @param sourceOffset its first element to be written.
     * @param count        number of elements, from 0.
     * @param rank         any, this one too.
     * @param targetOffset the first element in that rank's memory.
     * @return the request; it cannot be cancelled.
     */
    Request iput(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset);

    /**
     * Writes into a rank's memory, and signals that.
     *
     * @param source       read.
     * @param sourceOffset its first element to be written.
     * @param count        number of elements, from 0.
     * @param rank         any, this one too.
     * @param targetOffset the first element in that rank's memory.
     * @param signal       number of the signal, from 0.
     */
    void putSignal(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset, int signal);

    /**
     * Starts to write into a rank's memory, and to signal that, as {@link #putSignal}.
     *
     * @param source       not to be written until it is done.
     * @param sourceOffset its first element to be written.
     * @param count        number of elements, from 0.
     * @param rank         any, this one too.
     * @param targetOffset the first element in that rank's memory.
     * @param signal       number of the signal, from 0.
     * @return the request; it cannot be cancelled.
     */
    Request iputSignal(DataBuffer source, long sourceOffset, long count, int rank, long targetOffset, int signal);

    /**
     * Reads a rank's memory.
     *
     * @param target       written.
     * @param targetOffset its first element to be written.
     * @param count        number of elements, from 0.
     * @param rank         any, this one too.
     * @param sourceOffset the first element in that rank's memory.
     */
    void get(DataBuffer target, long targetOffset, long count, int rank, long sourceOffset);

    /**
     * Starts to read a rank's memory, as {@link #get}.
     *
     * @param target       neither to be read nor written until it is done.
     * @param targetOffset its first element to be written.
     * @param count        number of elements, from 0.
     * @param rank         any, this one too.
     * @param sourceOffset the first element in that rank's memory.
     * @return the request; it cannot be cancelled.
     */
    Request iget(DataBuffer target, long targetOffset, long count, int rank, long sourceOffset);

    /**
     * Signals a rank.
     *
     * @param rank   any, this one too.
     * @param signal number of the signal, from 0.
     */
    void signal(int rank, int signal);

    /**
     * Starts to signal a rank, as {@link #signal}.
     *
     * @param rank   any, this one too.
     * @param signal number of the signal, from 0.
     * @return the request; it cannot be cancelled.
     */
    Request isignal(int rank, int signal);

    /**
     * Waits until a rank has signalled so often, and takes these signals.
     *
     * @param rank   any, this one too.
     * @param signal number of the signal, from 0.
     * @param count  number of signals, from 1.
     */
    void waitSignal(int rank, int signal, long count);

    /**
     * Takes signals of a rank, if it has signalled so often.
     *
     * @param rank   any, this one too.
     * @param signal number of the signal, from 0.
     * @param count  number of signals, from 1.
     * @return false if there are not as many yet: then it takes none.
     */
    boolean testSignal(int rank, int signal, long count);

    /**
     * Starts to wait for signals, as {@link #waitSignal}: to test or await the request takes them.
     *
     * @param rank   any, this one too.
     * @param signal number of the signal, from 0.
     * @param count  number of signals, from 1.
     * @return the request; to cancel it takes none.
     */
    Request iwaitSignal(int rank, int signal, long count);

    /**
     * How many signals of a rank have come and were not taken.
     *
     * @param rank   any, this one too.
     * @param signal number of the signal, from 0.
     * @return from 0.
     */
    long pendingSignals(int rank, int signal);

    /** Waits until all that this rank has started is done, here and in the other ranks' memory. */
    void flush();

    /**
     * Waits until all that this rank has started for another one is done, here and in that rank's memory.
     *
     * @param rank any, this one too.
     */
    void flush(int rank);

    /**
     * Separates what all ranks put and got before from what they do after: a {@link #flush} and then a barrier of the
     * communicator, so a call of it as others are, but not in a group. Both have one deadline.
     */
    void fence();

    /**
     * Closes the window: all ranks do, in the same order as their calls of the communicator, unless that is closed
     * first, or has failed. Waits for what this rank has started, and for the other ranks: then no rank changes this
     * one's memory any more. Idempotent.
     */
    @Override
    void close();
}
