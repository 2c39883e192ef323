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
 * Accepts connections from a window's other ranks. A rank connects to a target when it first accesses the target's
 * memory. The target may not be in a call then, so a dedicated thread replies:
 * <pre>
 *   origin                                      store                       target's thread
 *   creates a queue pair, publishes its number ---&gt; "request"
 *   wakes the target's thread                  ---&gt; "wake"    ---&gt; reads requests
 *   takes the reply, connects                  &lt;--- "reply"   &lt;--- creates and connects a queue pair
 * </pre>
 * The thread sleeps in the bootstrap between requests.
 */
final class WindowAcceptor implements Runnable
{
    /** The prefixes of this protocol's keys, below the window's own prefix. */
    static final String REQUEST_KEY = "request/";
    static final String WAKE_KEY = "wake/";
    static final String REPLY_KEY = "reply/";

    private static final byte[] NOTHING = {};
    private static final long SLEEP_NS = TimeUnit.HOURS.toNanos(1);
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long WITHDRAW_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIN_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LocalWindow window;
    private final Bootstrap bootstrap;
    private final EndpointExchange exchange;
    private final ResourceScope resources = new ResourceScope();
    private final boolean[] answered;
    /** By rank, the request to the store for that rank's reply. Used by the thread that connects to the rank. */
    private final BootstrapRequest[] replies;
    private final Thread thread;
    /** By device; null if no rank has sent a request over it. */
    private final CompletionQueue[] completions;
    private volatile boolean closed;
    private boolean freed;

    /** Creates the acceptor of a window with several ranks, and starts its thread. */
    WindowAcceptor(final LocalWindow window)
    {
        this.window = window;
        bootstrap = window.bootstrap();
        exchange = window.team().endpointExchange();
        answered = new boolean[bootstrap.size()];
        replies = new BootstrapRequest[bootstrap.size()];
        completions = new CompletionQueue[window.team().context().devices().size()];
        thread = Thread.ofPlatform().daemon().name("tutti-window-" + window.rank()).start(this);
    }

    /** Requests a connection from a rank. */
    void ask(final int rank, final QueuePair qp)
    {
        exchange.initialize(rank, qp);
        bootstrap.putAsync(requestKey(window.rank(), rank), record(qp));
        bootstrap.putAsync(wakeKey(rank), NOTHING);
    }

    /** Connects if the rank has replied; returns whether it has. */
    boolean takeReply(final int rank, final QueuePair qp)
    {
        if (replies[rank] == null)
        {
            replies[rank] = bootstrap.takeAsync(replyKey(rank, window.rank()));
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

    /**
     * Withdraws this rank's request to another rank. If the other rank is already replying, waits for the reply and
     * removes it, as no other thread does.
     */
    void withdraw(final int rank)
    {
        try
        {
            final boolean isAsked = bootstrap.take(requestKey(window.rank(), rank)) != null;
            final BootstrapRequest request = replies[rank];
            replies[rank] = null;
            // The store answers requests in order, so it has answered the earlier one for the reply.
            final boolean isTaken = request != null && request.test() && request.value() != null;
            if (!isAsked && !isTaken)
            {
                bootstrap.await(replyKey(rank, window.rank()), WITHDRAW_NS);
                bootstrap.take(replyKey(rank, window.rank()));
            }
        }
        catch (final BootstrapException noAnswer)
        {
            // There is no reply to remove.
        }
    }

    /** Pauses between two attempts. */
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
        exchange.connect(rank, qp, buffer.getInt(), buffer.getInt(), window.reads(rank));
    }

    @Override
    public void run()
    {
        while (!closed)
        {
            try
            {
                bootstrap.await(wakeKey(window.rank()), SLEEP_NS);
                // The wake key is taken before requests are read, so that a request that arrives now is read in the
                // next pass at the latest.
                await(bootstrap.takeAsync(wakeKey(window.rank())));
                answer();
            }
            catch (final BootstrapTimeoutException noRequest)
            {
                // No request within the timeout.
            }
            catch (final RuntimeException | Error e)
            {
                // Waiting callers report the failure of the job.
                if (!(e instanceof BootstrapException) || bootstrap.failure() == null)
                {
                    window.failAnswer(e);
                }
                return;
            }
        }
    }

    private void answer()
    {
        for (int origin = 0; origin < answered.length && !closed; origin++)
        {
            final byte[] request = answered[origin] || origin == window.rank() ? null :
                await(bootstrap.takeAsync(requestKey(origin, window.rank())));
            if (request != null)
            {
                final NetDevice device = window.team().device(origin);
                if (completions[device.index()] == null)
                {
                    completions[device.index()] =
                        add(device.port().context().createCompletionQueue(answered.length, null));
                }
                final QueuePair qp = add(device.createMemoryQueuePair(completions[device.index()], 1, 1, 0));
                exchange.initialize(origin, qp);
                connect(origin, qp, request);
                answered[origin] = true;
                bootstrap.putAsync(replyKey(window.rank(), origin), record(qp));
            }
        }
    }

    /**
     * Waits as long as the window is open, without a deadline: if the coordinator answers late, the value that it
     * removed from the store must not be lost.
     */
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

    private synchronized <T extends AutoCloseable> T add(final T resource)
    {
        resources.add(resource);
        if (freed)
        {
            final IllegalStateException thrown = new IllegalStateException("the window is closed");
            free().forEach(thrown::addSuppressed);
            throw thrown;
        }
        return resource;
    }

    private synchronized List<Exception> free()
    {
        freed = true;
        final List<Exception> problems = new ArrayList<>();
        resources.close(problems);
        return problems;
    }

    /**
     * Stops the thread, which does not end if the store does not answer, and frees the queue pairs. Returns the
     * problems.
     */
    List<Exception> close()
    {
        // The store and the thread must be awaited even if the caller is interrupted.
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
            bootstrap.put(wakeKey(window.rank()), NOTHING);
        }
        catch (final BootstrapException jobFailed)
        {
            // The thread ends as well.
        }
    }

    /** Waits for the thread. Returns whether the calling thread was interrupted during the wait. */
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

    /** Removes the wake key of a request that arrived too late to be answered. */
    private void clear()
    {
        try
        {
            bootstrap.take(wakeKey(window.rank()));
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
