/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import java.util.concurrent.locks.LockSupport;

/**
 * How threads wait without a completion to wake them: they spin, then yield, then sleep a little; virtual threads do
 * not spin. Thread-safe; allocates nothing.
 */
public final class Backoff
{
    private static final String OVERSUBSCRIBED_ENV_NAME = "TUTTI_OVERSUBSCRIBED";
    private static final int SPINS = 4096;
    private static final int YIELDS = 256;
    private static final int SPINS_PER_LOOK = 256;
    private static final int YIELDS_PER_LOOK = 16;
    private static final int SHORT_PARKS = 1000;
    private static final long SHORT_PARK_NS = 20_000;
    private static final long LONG_PARK_NS = 200_000;

    /** For what other threads of this process do, or what they do with requests. */
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
     * For what other ranks do: spins only while every rank can have a core.
     *
     * @param localSize number of ranks on the host.
     */
    public static Backoff forRanks(final int localSize)
    {
        return new Backoff(isOversubscribed(localSize) ? 0 : SPINS, YIELDS, LONG_PARK_NS);
    }

    /** Whether to look, now and then, if it makes sense to wait: at the first attempt, too, which is 0. */
    public boolean isTimeToLook(final int attempt)
    {
        return attempt < spins ? attempt % SPINS_PER_LOOK == 0 :
            attempt >= spins + yields || (attempt - spins) % YIELDS_PER_LOOK == 0;
    }

    /** One round of a wait. */
    @SuppressWarnings("ThreadPriorityCheck") // To yield is the point: the rank waited for may need this core.
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
     * Whether the ranks of this host share cores, as the launcher says or, without one, by their number.
     *
     * @param localSize number of ranks on the host.
     */
    public static boolean isOversubscribed(final int localSize)
    {
        return isOversubscribed(
            System.getenv(OVERSUBSCRIBED_ENV_NAME), localSize, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Whether ranks share cores.
     *
     * @param told  what the launcher says, which knows all ranks' cores: "1" or "0", or null when there is none.
     * @param ranks ranks on this host.
     * @param cores number of cores that this rank may use: too few to tell when each rank is bound to its own.
     */
    static boolean isOversubscribed(final String told, final int ranks, final int cores)
    {
        return told == null ? ranks > cores : told.equals("1");
    }

    /** Sleeps a little, also in an interrupted thread, where a park would return at once; it stays interrupted. */
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
