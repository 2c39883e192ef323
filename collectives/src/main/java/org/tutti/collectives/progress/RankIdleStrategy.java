/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.device.NetDeviceQueues;
import org.tutti.collectives.exec.ProgressEngine;
import org.tutti.collectives.fault.DesyncDetector;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.AsyncEvent;

import java.util.concurrent.locks.LockSupport;

/**
 * Idle strategy of a rank: spins if every rank can have a core, then yields, then sleeps until a completion arrives;
 * virtual threads do not spin, and park. Periodically, with or without progress, checks the clock, failed ranks,
 * asynchronous events of the device, and the thread's interrupt status. The deadline is that of a caller's call, which
 * may consist of many calls of the engine.
 * <p>
 * Not thread-safe, except {@link #stop} and {@link #share}; allocates nothing on the normal path.
 */
public final class RankIdleStrategy
{
    /** Other calls have no work. */
    public static final int NONE = 0;
    /** Other calls wait, too. */
    public static final int WAITING = 1;
    /** Another call made progress. */
    public static final int MOVED = 2;

    /**
     * Number of spins: they take longer than most messages. More spins would keep a core from the compilers of this JVM
     * and of other ranks. A yield takes a third of a microsecond if no other thread is runnable.
     */
    private static final int SPINS = 512;
    /** Number of spins without a pause instruction, which on many processors takes longer than a message. */
    private static final int BARE_SPINS = 256;
    private static final int YIELDS = 4096;
    /** Number of yields where ranks share cores: sleeping sooner leaves more of the cores to ranks that have work. */
    private static final int OVERSUBSCRIBED_YIELDS = 256;
    /**
     * Number of spins where each poll makes a system call for each connection, of about a microsecond: also where every
     * rank has a core, compilers or containers of the same machine may need it.
     */
    private static final int SLOW_SPINS = 16;
    /** Number of yields where polls make system calls: with few connections they take as long as elsewhere. */
    private static final int SLOW_YIELDS = 1024;
    private static final int YIELDS_PER_CHECK = 16;
    private static final int POLLS_PER_CHECK = 256;
    /** Maximum sleep in nanoseconds: the delay in noticing a failed rank. */
    private static final long SLEEP_NS = 20_000_000;
    /**
     * Maximum sleep in nanoseconds while a peer is not connected: no completion indicates that it is ready to connect.
     */
    private static final long CONNECT_SLEEP_NS = 500_000;

    /** Duration of a virtual thread's park in nanoseconds: it must not block the carrier thread, which others need. */
    private static final long VIRTUAL_SLEEP_NS = 200_000;
    /**
     * Maximum sleep in nanoseconds if another thread may request the lock, and of the first sleep, since a message may
     * have just been missed.
     */
    private static final long SHARED_SLEEP_NS = 200_000;

    private final Team team;
    private final ProgressEngine engine;
    private final int spins;
    private final int yields;
    private int idles;
    private int polls;
    private long timeoutNs;
    private long startNs;
    /** The call in progress at the first check, and the time of that check. */
    private long checkedSequence = -1;
    private long checkedSinceNs;
    private volatile String closingThread;
    private volatile boolean shared;

    /** Creates the idle strategy of the thread that holds a lock. */
    public RankIdleStrategy(final Team team, final ProgressEngine engine)
    {
        this.team = team;
        this.engine = engine;
        final EngineConfiguration configuration = team.context().configuration();
        final boolean isOversubscribed = Backoff.isOversubscribed(configuration.oversubscribed(),
            team.bootstrap().localSize() * (configuration.progress().isThread() ? 2 : 1));
        final boolean isSlow = team.isPolledBySystemCalls();
        spins = isOversubscribed ? 0 : isSlow ? SLOW_SPINS : SPINS;
        yields = isOversubscribed ? OVERSUBSCRIBED_YIELDS : isSlow ? SLOW_YIELDS : YIELDS;
    }

    /** Begins a caller's call with this timeout. The clock is read only once the call waits. */
    public void begin(final long callTimeoutNs)
    {
        timeoutNs = callTimeoutNs;
        startNs = 0;
        idles = 0;
    }

    /** As {@link #begin(long)}, for a call that began at {@code callStartNs}. */
    public void begin(final long callTimeoutNs, final long callStartNs)
    {
        begin(callTimeoutNs);
        startNs = callStartNs;
    }

    /** Returns the start of the call by {@link System#nanoTime()}, or 0 if the clock has not been read. */
    public long startNs()
    {
        return startNs;
    }

    /**
     * Ends the wait of any thread, now or later, because a thread closes the communicator. Callable from any thread.
     */
    public void stop(final Thread closing)
    {
        closingThread = closing.getName();
    }

    /** Limits sleeps, since another thread waits for the lock. Callable from any thread. */
    public void share()
    {
        shared = true;
    }

    /**
     * Idles if there was no progress.
     *
     * @param work   amount of work done since the last call.
     * @param others {@link #NONE}, {@link #WAITING} or {@link #MOVED}: state of other calls.
     */
    public void idleAfter(final int work, final int others)
    {
        if (work > 0 || others == MOVED)
        {
            progressed();
        }
        else
        {
            idle(others == WAITING);
        }
    }

    /** Resets the idle strategy after progress. */
    void progressed()
    {
        idles = 0;
        countPoll();
    }

    /**
     * Idles once, because there was no progress.
     *
     * @param hasOtherCalls whether the caller also waits for other calls, whose completions do not wake it.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Intended: the awaited rank may need this core.
    private void idle(final boolean hasOtherCalls)
    {
        final int count = idles++;
        final boolean isVirtual = Thread.currentThread().isVirtual();
        // Virtual threads do not spin: others need the carrier thread.
        final int spinning = isVirtual ? 0 : spins;
        if (count < spinning)
        {
            countPoll();
            if (count >= BARE_SPINS)
            {
                Thread.onSpinWait();
            }
        }
        else if (count < spinning + yields)
        {
            if (count % YIELDS_PER_CHECK == 0)
            {
                check();
            }
            Thread.yield();
        }
        else if (isVirtual)
        {
            check();
            LockSupport.parkNanos(VIRTUAL_SLEEP_NS);
        }
        else
        {
            final long leftNs = check();
            final NetDeviceQueues queues = team.queues(engine.waitedPeer());
            queues.queue().requestNotify(false);
            engine.fallAsleep();
            if (engine.progress(0) > 0)
            {
                idles = 0;
            }
            else
            {
                queues.channel().awaitEvent(Math.min(leftNs, sleepNs(hasOtherCalls, count)));
            }
        }
    }

    private long sleepNs(final boolean hasOtherCalls, final int count)
    {
        // Of two devices, only that of the awaited rank wakes a sleeping thread.
        return hasOtherCalls || shared || team.isMixed() || engine.isSendQueueFull() || count == spins + yields ?
            SHARED_SLEEP_NS : engine.isConnecting() ? CONNECT_SLEEP_NS : SLEEP_NS;
    }

    /** Throws if a thread closes the communicator. */
    void throwIfClosing()
    {
        final String closing = closingThread;
        if (closing != null)
        {
            throw engine.diagnosis().closing(engine.sequence(), engine.waitedPeer(), closing);
        }
    }

    private void countPoll()
    {
        if (++polls % POLLS_PER_CHECK == 0)
        {
            check();
        }
    }

    /** Checks periodically for failures, for a thread that tests requests: it does not wait, and so has no deadline. */
    public void look()
    {
        if (++polls % POLLS_PER_CHECK == 0)
        {
            throwIfFailed();
            if (!engine.isDone())
            {
                detectDesyncIfLong(System.nanoTime());
            }
        }
    }

    /**
     * Detects desync in a call that is only tested: as no thread waits for it, the time since its first check counts.
     */
    private void detectDesyncIfLong(final long now)
    {
        if (checkedSequence != engine.sequence())
        {
            checkedSequence = engine.sequence();
            checkedSinceNs = now;
        }
        else if (now - checkedSinceNs > DesyncDetector.PATIENCE_NS)
        {
            engine.detectDesync();
        }
    }

    private long check()
    {
        throwIfFailed();
        if (Thread.currentThread().isInterrupted())
        {
            throw engine.diagnosis().interrupted(engine.sequence(), engine.waitedPeer());
        }
        final long now = System.nanoTime();
        if (startNs == 0)
        {
            startNs = now;
        }
        final long leftNs = timeoutNs - (now - startNs);
        if (leftNs <= 0)
        {
            throw engine.diagnosis().timeout(engine.sequence(), engine.waitedPeer(), timeoutNs);
        }
        if (now - startNs > DesyncDetector.PATIENCE_NS)
        {
            engine.detectDesync();
        }
        return leftNs;
    }

    private void throwIfFailed()
    {
        engine.diagnosis().throwIfFailed(engine.sequence());
        throwIfClosing();
        final AsyncEvent event = team.pollEvent();
        if (event != null)
        {
            // A failed completion has more detail than the event.
            engine.progress(0);
            if (!engine.isDone())
            {
                throw engine.diagnosis().transport().eventFailure(engine.sequence(), engine.waitedPeer(), event);
            }
        }
        final int disagreeing = engine.disagreeingPeer();
        if (disagreeing >= 0)
        {
            throw engine.diagnosis().mismatch(engine.sequence(), disagreeing);
        }
    }
}
