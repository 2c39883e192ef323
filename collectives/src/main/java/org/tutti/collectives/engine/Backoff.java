/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

/**
 * How threads wait for what other ranks do with a window: they spin while every rank can have a core, then yield, then
 * sleep a little; virtual threads do not spin. Thread-safe; allocates nothing.
 */
final class Backoff
{
    private static final String OVERSUBSCRIBED_ENV_NAME = "TUTTI_OVERSUBSCRIBED";
    private static final int SPINS = 4096;
    private static final int YIELDS = 256;
    private static final int SPINS_PER_LOOK = 256;
    private static final int YIELDS_PER_LOOK = 16;
    private static final int SHORT_PARKS = 1000;
    private static final long SHORT_PARK_NS = 20_000;
    private static final long LONG_PARK_NS = 200_000;

    private final int spins;

    /**
     * For one rank.
     *
     * @param localSize how many ranks the host has.
     */
    Backoff(final int localSize)
    {
        spins = Waiter.isOversubscribed(System.getenv(OVERSUBSCRIBED_ENV_NAME), localSize,
            Runtime.getRuntime().availableProcessors()) ? 0 : SPINS;
    }

    /** Whether to look, now and then, if it makes sense to wait: at the first attempt, too, which is 0. */
    boolean isTimeToLook(final int attempt)
    {
        return attempt < spins ? attempt % SPINS_PER_LOOK == 0 :
            attempt >= spins + YIELDS || (attempt - spins) % YIELDS_PER_LOOK == 0;
    }

    /** One round of a wait. */
    @SuppressWarnings("ThreadPriorityCheck") // To yield is the point: the rank waited for may need this core.
    void pause(final int attempt)
    {
        if (attempt < spins && !Thread.currentThread().isVirtual())
        {
            Thread.onSpinWait();
        }
        else if (attempt < spins + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            CommunicatorLock.sleep(attempt < spins + YIELDS + SHORT_PARKS ? SHORT_PARK_NS : LONG_PARK_NS);
        }
    }
}
