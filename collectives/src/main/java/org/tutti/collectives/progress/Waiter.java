/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.device.NetDeviceQueues;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.fault.DesyncDetector;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.AsyncEvent;

import java.util.concurrent.locks.LockSupport;

/**
 * How a rank waits: it spins while every rank can have a core, then gives its core to others, then sleeps until a
 * completion comes; virtual threads do not spin, and park. Now and then, whether something moves or not, it looks at
 * the clock, at whether a rank failed, at whether the device tells of something, and at the thread's interrupt status.
 * The deadline is that of a caller's call, which may be many calls of the engine.
 * <p>
 * Not thread-safe, but for {@link #stop}; allocates nothing while all is well.
 */
public final class Waiter
{
    /** None of the others has anything to do. */
    public static final int NONE = 0;
    /** Others wait, too. */
    public static final int WAITING = 1;
    /** One of the others has got ahead. */
    static final int MOVED = 2;

    /**
     * Longer than most messages take. A longer spin keeps a core from the compilers of this JVM and of other ranks'. A
     * yield takes a third of a microsecond if no other thread is waiting.
     */
    private static final int SPINS = 512;
    /** How many of them are without a pause: that of many processors is longer than a message takes. */
    private static final int BARE_SPINS = 256;
    private static final int YIELDS = 4096;
    /** Where ranks share cores, one that sleeps leaves more to those that have something to do. */
    private static final int OVERSUBSCRIBED_YIELDS = 256;
    private static final int YIELDS_PER_CHECK = 16;
    private static final int POLLS_PER_CHECK = 256;
    /** The longest sleep: how late a notice of a failed rank can be seen. */
    private static final long SLEEP_NS = 20_000_000;
    /** No completion tells that a peer is ready to connect. */
    private static final long CONNECT_SLEEP_NS = 500_000;

    /** Virtual threads must not sleep in the system: others need the thread that carries them. */
    private static final long VIRTUAL_SLEEP_NS = 200_000;
    /** Where another thread may want to take over, and at first, as a message may just have been left unseen. */
    private static final long SHARED_SLEEP_NS = 200_000;

    private final Team team;
    private final ScheduleExecutor engine;
    private final int spins;
    private final int yields;
    private int idles;
    private int polls;
    private long timeoutNs;
    private long startNs;
    /** The call that was under way at the first look, and the time of that look. */
    private long lookedAt = -1;
    private long lookedSinceNs;
    private volatile String closingThread;
    private volatile boolean shared;

    Waiter(final Team team, final ScheduleExecutor engine)
    {
        this.team = team;
        this.engine = engine;
        final boolean isOversubscribed = Backoff.isOversubscribed(team.bootstrap().localSize());
        spins = isOversubscribed ? 0 : SPINS;
        yields = isOversubscribed ? OVERSUBSCRIBED_YIELDS : YIELDS;
    }

    /** A caller's call begins, with this deadline. The clock is read only when there is something to wait for. */
    void begin(final long callTimeoutNs)
    {
        timeoutNs = callTimeoutNs;
        startNs = 0;
        idles = 0;
    }

    /** The same for a call that began before. */
    public void begin(final long callTimeoutNs, final long callStartNs)
    {
        begin(callTimeoutNs);
        startNs = callStartNs;
    }

    /** Goes on where another one has waited for the same caller: both together have one deadline. */
    public void goOnFrom(final Waiter earlier)
    {
        startNs = earlier.startNs == 0 ? startNs : earlier.startNs;
    }

    /** Ends the wait of any thread, now or later, because a thread closes the communicator. From any thread. */
    void stop(final Thread closing)
    {
        closingThread = closing.getName();
    }

    /** Threads wait by turns: a sleeping one wakes up soon. From any thread. */
    void share()
    {
        shared = true;
    }

    /**
     * Waits a little if nothing moved.
     *
     * @param work   amount of work done since the last call.
     * @param others {@link #NONE}, {@link #WAITING} or {@link #MOVED}: what became of other calls meanwhile.
     */
    public void goOn(final int work, final int others)
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

    /** Something moved: what comes next may be near. */
    void progressed()
    {
        idles = 0;
        countPoll();
    }

    /**
     * Nothing moved.
     *
     * @param hasCompany whether the caller waits for other calls, too, which nothing wakes it for.
     */
    @SuppressWarnings("ThreadPriorityCheck") // To yield is the point: the rank waited for may need this core.
    private void idle(final boolean hasCompany)
    {
        final int count = idles++;
        final boolean isVirtual = Thread.currentThread().isVirtual();
        // Virtual threads do not spin: others need the thread that carries them.
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
            engine.worker().fallAsleep();
            if (engine.progress(0) > 0)
            {
                idles = 0;
            }
            else
            {
                queues.channel().awaitEvent(Math.min(leftNs, sleepNs(hasCompany, count)));
            }
        }
    }

    private long sleepNs(final boolean hasCompany, final int count)
    {
        // Of two devices, only that of the rank waited for wakes a thread that sleeps.
        return hasCompany || shared || team.isMixed() || isHeldUp() || count == spins + yields ? SHARED_SLEEP_NS :
            engine.isConnecting() ? CONNECT_SLEEP_NS : SLEEP_NS;
    }

    /** Whether a peer has no room for more: no event tells when it has some again. */
    private boolean isHeldUp()
    {
        final int peer = engine.waitedPeer();
        return peer >= 0 && team.connections()[peer].endpoint().isFull();
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

    /** A periodic look by a thread that does not wait, so without a deadline. */
    void look()
    {
        if (++polls % POLLS_PER_CHECK == 0)
        {
            throwIfHopeless();
            if (!engine.isDone())
            {
                lookForLonger(System.nanoTime());
            }
        }
    }

    /** A thread that only tests a call does not wait: what counts is how long the call has been under way. */
    private void lookForLonger(final long now)
    {
        if (lookedAt != engine.sequence())
        {
            lookedAt = engine.sequence();
            lookedSinceNs = now;
        }
        else if (now - lookedSinceNs > DesyncDetector.PATIENCE_NS)
        {
            engine.detectDesync();
        }
    }

    private long check()
    {
        throwIfHopeless();
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

    private void throwIfHopeless()
    {
        engine.diagnosis().throwIfFailed(engine.sequence());
        throwIfClosing();
        final AsyncEvent event = team.pollEvent();
        if (event != null)
        {
            // A completion that failed says more.
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
