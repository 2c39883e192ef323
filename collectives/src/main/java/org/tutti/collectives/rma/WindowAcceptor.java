/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.collectives.wireup.EndpointExchange;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.QueuePair;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Accepts connections of a window's other ranks. A rank connects with a target when it first accesses the target's
 * memory. The target may be in no call then, so a thread of its own replies:
 * <pre>
 *   origin                                      store                       target's thread
 *   creates a queue pair, publishes its number ---&gt; "request"
 *   wakes the target's thread                  ---&gt; "wake"    ---&gt; looks for requests
 *   takes the reply, connects                  &lt;--- "reply"   &lt;--- creates and connects a queue pair
 * </pre>
 * The thread sleeps in the bootstrap between requests.
 */
final class WindowAcceptor implements Runnable
{
    /** How the keys of this protocol begin, below the window's own prefix. */
    static final String REQUEST_KEY = "request/";
    static final String WAKE_KEY = "wake/";
    static final String REPLY_KEY = "reply/";

    private static final byte[] NOTHING = {};
    private static final long SLEEP_NS = TimeUnit.HOURS.toNanos(1);
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long WITHDRAW_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIN_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LocalWindow end;
    private final Bootstrap bootstrap;
    private final EndpointExchange exchange;
    private final ResourceScope parts = new ResourceScope();
    private final boolean[] answered;
    /** By rank: asks for its answer. Used by the thread that connects with the rank. */
    private final BootstrapRequest[] replies;
    private final Thread thread;
    /** By device, where a rank has sent a request. */
    private final CompletionQueue[] completions;
    private volatile boolean closed;
    private boolean freed;

    /** Of a window of several ranks. */
    WindowAcceptor(final LocalWindow end)
    {
        this.end = end;
        bootstrap = end.bootstrap();
        exchange = end.team().endpointExchange();
        answered = new boolean[bootstrap.size()];
        replies = new BootstrapRequest[bootstrap.size()];
        completions = new CompletionQueue[end.team().context().devices().size()];
        thread = Thread.ofPlatform().daemon().name("tutti-window-" + end.rank()).start(this);
    }

    /** Asks a rank to connect. */
    void ask(final int rank, final QueuePair qp)
    {
        exchange.initialize(rank, qp);
        bootstrap.putAsync(requestKey(end.rank(), rank), record(qp));
        bootstrap.putAsync(wakeKey(rank), NOTHING);
    }

    /** Connects, if the rank has answered. */
    boolean takeReply(final int rank, final QueuePair qp)
    {
        if (replies[rank] == null)
        {
            replies[rank] = bootstrap.takeAsync(replyKey(rank, end.rank()));
        }
        if (!replies[rank].test())
        {
            return false;
        }
        final byte[] answer = replies[rank].value();
        replies[rank] = null;
        if (answer == null)
        {
            return false;
        }
        connect(rank, qp, answer);
        return true;
    }

    /** Asks no more. Who has been asked may be about to answer: that is awaited, for nobody else removes it. */
    void withdraw(final int rank)
    {
        try
        {
            final boolean isAsked = bootstrap.take(requestKey(end.rank(), rank)) != null;
            final BootstrapRequest request = replies[rank];
            replies[rank] = null;
            // Requests are answered in order: one that was made before has had its answer.
            final boolean isTaken = request != null && request.test() && request.value() != null;
            if (!isAsked && !isTaken)
            {
                bootstrap.await(replyKey(rank, end.rank()), WITHDRAW_NS);
                bootstrap.take(replyKey(rank, end.rank()));
            }
        }
        catch (final BootstrapException noAnswer)
        {
            // Then there is nothing to remove.
        }
    }

    /** Waits a little between two looks. */
    static void pause(final int attempt)
    {
        Backoff.sleep(Math.clamp(attempt * MIN_PAUSE_NS / 8, MIN_PAUSE_NS, MAX_PAUSE_NS));
    }

    private byte[] record(final QueuePair qp)
    {
        return ByteBuffer.allocate(2 * Integer.BYTES).putInt(qp.qpNum()).putInt(exchange.psn()).array();
    }

    private void connect(final int rank, final QueuePair qp, final byte[] record)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(record);
        exchange.connect(rank, qp, buffer.getInt(), buffer.getInt(), end.reads(rank));
    }

    @Override
    public void run()
    {
        while (!closed)
        {
            try
            {
                bootstrap.await(wakeKey(end.rank()), SLEEP_NS);
                // Before looking: who rings now is seen by the next look at the latest.
                await(bootstrap.takeAsync(wakeKey(end.rank())));
                answer();
            }
            catch (final BootstrapTimeoutException noRequest)
            {
                // Nothing to do for an hour.
            }
            catch (final RuntimeException | Error e)
            {
                // A job that has failed is reported where somebody waits.
                if (!(e instanceof BootstrapException) || bootstrap.failure() == null)
                {
                    end.failAnswer(e);
                }
                return;
            }
        }
    }

    private void answer()
    {
        for (int origin = 0; origin < answered.length && !closed; origin++)
        {
            final byte[] request = answered[origin] || origin == end.rank() ? null :
                await(bootstrap.takeAsync(requestKey(origin, end.rank())));
            if (request != null)
            {
                final NetDevice device = end.team().device(origin);
                if (completions[device.index()] == null)
                {
                    completions[device.index()] =
                        add(device.port().context().createCompletionQueue(answered.length, null));
                }
                final QueuePair qp = add(device.createQueuePair(completions[device.index()], 1, 1, 0));
                exchange.initialize(origin, qp);
                connect(origin, qp, request);
                answered[origin] = true;
                bootstrap.putAsync(replyKey(end.rank(), origin), record(qp));
            }
        }
    }

    /** Waits as long as the window is open: what is taken must not get lost while the coordinator does not answer. */
    private byte[] await(final BootstrapRequest request)
    {
        for (int attempt = 0; !request.test(); attempt++)
        {
            if (closed)
            {
                return null;
            }
            pause(attempt);
        }
        return request.value();
    }

    private synchronized <T extends AutoCloseable> T add(final T part)
    {
        parts.add(part);
        if (freed)
        {
            final IllegalStateException thrown = new IllegalStateException("the window is closed");
            free().forEach(thrown::addSuppressed);
            throw thrown;
        }
        return part;
    }

    private synchronized List<Exception> free()
    {
        freed = true;
        final List<Exception> problems = new ArrayList<>();
        parts.close(problems);
        return problems;
    }

    /** Answers no more: the thread has ended, unless the store does not answer. What went wrong. */
    List<Exception> close()
    {
        // The store and the thread are waited for all the same.
        final boolean wasInterrupted = Thread.interrupted();
        closed = true;
        wake();
        final boolean isInterrupted = join() || wasInterrupted;
        clear();
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        return free();
    }

    private void wake()
    {
        try
        {
            bootstrap.put(wakeKey(end.rank()), NOTHING);
        }
        catch (final BootstrapException jobFailed)
        {
            // Then the thread ends, too.
        }
    }

    /** Waits for the thread. Whether this one was interrupted meanwhile. */
    private boolean join()
    {
        boolean isInterrupted = false;
        final long startNs = System.nanoTime();
        long leftNs = JOIN_NS;
        while (leftNs > 0 && thread.isAlive())
        {
            try
            {
                TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
            leftNs = JOIN_NS - (System.nanoTime() - startNs);
        }
        return isInterrupted;
    }

    /** Who rang at the last moment is not answered, and has left something. */
    private void clear()
    {
        try
        {
            bootstrap.take(wakeKey(end.rank()));
        }
        catch (final BootstrapException jobFailed)
        {
            // The store has ended with the job.
        }
    }

    private static String wakeKey(final int rank)
    {
        return WAKE_KEY + rank;
    }

    private static String requestKey(final int origin, final int target)
    {
        return REQUEST_KEY + origin + '-' + target;
    }

    private static String replyKey(final int target, final int origin)
    {
        return REPLY_KEY + target + '-' + origin;
    }
}
