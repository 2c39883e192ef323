/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.QueuePair;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Connects the ranks of a window, when one first needs another, which may be calling nothing meanwhile: so a thread of
 * its own answers.
 * <pre>
 *   who needs                               store                         who is needed
 *   makes a queue pair, tells its number --------&gt; "ask"
 *   rings                                --------&gt; "bell" ---------&gt; looks who asks
 *   takes it, connects: it may write     &lt;--------- "answer" &lt;------- makes a queue pair, which stands now
 * </pre>
 * The thread sleeps in the bootstrap until somebody rings.
 */
final class WindowDoor implements Runnable
{
    private static final byte[] NOTHING = {};
    private static final long SLEEP_NS = TimeUnit.HOURS.toNanos(1);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);
    private static final long MIN_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final WindowEnd end;
    private final Bootstrap bootstrap;
    private final Connector connector;
    private final Parts parts;
    private final boolean[] answered;
    private final Thread thread;
    private CompletionQueue completions;
    private volatile boolean closed;

    /**
     * Of a window of several ranks.
     *
     * @param end   of it.
     * @param parts gets what answers need.
     */
    WindowDoor(final WindowEnd end, final Parts parts)
    {
        this.end = end;
        this.parts = parts;
        bootstrap = end.bootstrap();
        connector = end.mesh().connector();
        answered = new boolean[bootstrap.size()];
        thread = Thread.ofPlatform().daemon().name("tutti-window-" + end.rank()).start(this);
    }

    /** Asks a rank to connect. */
    void ask(final int rank, final QueuePair qp)
    {
        connector.initialize(qp);
        bootstrap.put(askKey(end.rank(), rank), record(qp));
        bootstrap.put(bellKey(rank), NOTHING);
    }

    /** Connects, if the rank has answered. */
    boolean takeAnswer(final int rank, final QueuePair qp)
    {
        final byte[] answer = bootstrap.take(answerKey(rank, end.rank()));
        if (answer == null)
        {
            return false;
        }
        connect(rank, qp, answer);
        return true;
    }

    /** Waits a little between two looks. */
    static void pause(final int attempt)
    {
        Turn.sleep(Math.clamp(attempt * MIN_PAUSE_NS / 8, MIN_PAUSE_NS, MAX_PAUSE_NS));
    }

    private byte[] record(final QueuePair qp)
    {
        return ByteBuffer.allocate(2 * Integer.BYTES).putInt(qp.qpNum()).putInt(connector.psn()).array();
    }

    private void connect(final int rank, final QueuePair qp, final byte[] record)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(record);
        connector.connect(rank, qp, buffer.getInt(), buffer.getInt(), end.reads(rank));
    }

    @Override
    public void run()
    {
        while (!closed)
        {
            try
            {
                bootstrap.await(bellKey(end.rank()), SLEEP_NS);
                // Before looking: who rings now is seen by the next look at the latest.
                bootstrap.take(bellKey(end.rank()));
                answer();
            }
            catch (final BootstrapTimeoutException nobodyRang)
            {
                // Nothing to do for an hour.
            }
            catch (final BootstrapException jobFailed)
            {
                // Reported where somebody waits.
                return;
            }
            catch (final RuntimeException e)
            {
                end.failAnswer(e);
                return;
            }
        }
    }

    private void answer()
    {
        for (int origin = 0; origin < answered.length && !closed; origin++)
        {
            final byte[] question = answered[origin] || origin == end.rank() ? null :
                bootstrap.take(askKey(origin, end.rank()));
            if (question != null)
            {
                if (completions == null)
                {
                    completions = parts.add(end.mesh().port().context().createCompletionQueue(answered.length, null));
                }
                final QueuePair qp = parts.add(end.createQueuePair(completions, 1, 0));
                connector.initialize(qp);
                connect(origin, qp, question);
                answered[origin] = true;
                bootstrap.put(answerKey(end.rank(), origin), record(qp));
            }
        }
    }

    /** Answers no more: the thread has ended, unless the store does not answer. */
    void close()
    {
        closed = true;
        try
        {
            bootstrap.put(bellKey(end.rank()), NOTHING);
        }
        catch (final BootstrapException jobFailed)
        {
            // Then the thread ends, too.
        }
        try
        {
            thread.join(JOIN_MS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        clear();
    }

    /** Who rang at the last moment is not answered, and has left something. */
    private void clear()
    {
        try
        {
            bootstrap.take(bellKey(end.rank()));
        }
        catch (final BootstrapException jobFailed)
        {
            // The store has ended with the job.
        }
    }

    private static String bellKey(final int rank)
    {
        return "bell/" + rank;
    }

    private static String askKey(final int origin, final int target)
    {
        return "ask/" + origin + '-' + target;
    }

    private static String answerKey(final int target, final int origin)
    {
        return "answer/" + target + '-' + origin;
    }
}
