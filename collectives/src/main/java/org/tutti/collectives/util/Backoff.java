/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import java.util.concurrent.locks.LockSupport;

/**
 * Idle strategy of threads that no completion wakes: spin, then yield, then park. Virtual threads do not spin.
 * Thread-safe; allocates nothing.
 */
public final class Backoff
{
    private static final int SPINS = 4096;
    private static final int YIELDS = 256;
    private static final int SPINS_PER_CHECK = 256;
    private static final int YIELDS_PER_CHECK = 16;
    private static final int SHORT_PARKS = 1000;
    private static final long SHORT_PARK_NS = 20_000;
    private static final long LONG_PARK_NS = 200_000;

    /** For waits on other threads of this process, including threads that progress the awaited request. */
    public static final Backoff FOR_THREADS = new Backoff(100, 100, SHORT_PARK_NS);

    private final int spins;
    private final int yields;
    private final long lateParkNs;

    private Backoff(final int spins, final int yields, final long lateParkNs)
    {
        this.spins = spins;
        this.yields = yields;
        this.lateParkNs = lateParkNs;
    }

    /**
     * Returns an idle strategy for waits on other ranks, which spins only if each rank can have a core.
     *
     * @param flag      as for {@link #isOversubscribed(String, int)}.
     * @param localSize number of ranks on the host.
     */
    public static Backoff forRanks(final String flag, final int localSize)
    {
        return new Backoff(isOversubscribed(flag, localSize) ? 0 : SPINS, YIELDS, LONG_PARK_NS);
    }

    /**
     * Whether the caller should check, after an attempt, for an end of the wait, such as a deadline or a failure; true
     * for the first attempt, number 0, and periodically after it.
     */
    public boolean shouldCheck(final int attempt)
    {
        return attempt < spins ? attempt % SPINS_PER_CHECK == 0 :
            attempt >= spins + yields || (attempt - spins) % YIELDS_PER_CHECK == 0;
    }

    /** Idles once. */
    @SuppressWarnings("ThreadPriorityCheck") // Intended: the awaited rank may need this core.
    public void pause(final int attempt)
    {
        if (attempt < spins && !Thread.currentThread().isVirtual())
        {
            Thread.onSpinWait();
        }
        else if (attempt < spins + yields)
        {
            Thread.yield();
        }
        else
        {
            sleep(attempt < spins + yields + SHORT_PARKS ? SHORT_PARK_NS : lateParkNs);
        }
    }

    /**
     * Whether the ranks of this host share cores: according to the launcher or, without a launcher, because there are
     * more ranks than cores.
     *
     * @param flag      the launcher's answer, "1" or "0"; empty without a launcher.
     * @param localSize number of ranks on the host.
     */
    public static boolean isOversubscribed(final String flag, final int localSize)
    {
        return isOversubscribed(flag, localSize, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Whether ranks share cores.
     *
     * @param flag  the launcher's answer, "1" or "0", which takes the cores of all ranks into account; empty
     *              without a launcher.
     * @param ranks number of ranks on this host.
     * @param cores number of cores available to this rank; misleading if each rank is bound to cores of its own.
     */
    static boolean isOversubscribed(final String flag, final int ranks, final int cores)
    {
        return flag.isEmpty() ? ranks > cores : flag.equals("1");
    }

    /**
     * Parks for about the given time, even if the thread is interrupted (which would make a park return at once); the
     * interrupt status is kept.
     */
    public static void sleep(final long ns)
    {
        final boolean wasInterrupted = Thread.interrupted();
        LockSupport.parkNanos(ns);
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
