/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

/**
 * How a rank waits: it spins while every rank can have a core, then gives its core to others, then sleeps until a
 * completion comes. From the second stage on it looks at the clock and at whether another rank failed.
 * <p>
 * Not thread-safe; allocates nothing while all is well.
 */
final class Waiter
{
    private static final int SPINS = 4096;
    private static final int YIELDS = 256;
    private static final int CHECK_INTERVAL = 16;
    /** The longest sleep: how late a notice of a failed rank can be seen. */
    private static final long SLEEP_NS = 20_000_000;

    private final Mesh mesh;
    private final ScheduleEngine engine;
    private final int spins;
    private int idles;
    private long timeoutNs;
    private long startNs;

    Waiter(final Mesh mesh, final ScheduleEngine engine)
    {
        this.mesh = mesh;
        this.engine = engine;
        spins = mesh.bootstrap().localSize() <= Runtime.getRuntime().availableProcessors() ? SPINS : 0;
    }

    /** A call begins, with this deadline. */
    void begin(final long callTimeoutNs)
    {
        timeoutNs = callTimeoutNs;
        startNs = 0;
        idles = 0;
    }

    /** Something moved: what comes next may be near. */
    void progressed()
    {
        idles = 0;
    }

    /** Nothing moved. */
    @SuppressWarnings("ThreadPriorityCheck") // To yield is the point: the rank waited for may need this core.
    void idle()
    {
        final int count = idles++;
        if (count < spins)
        {
            Thread.onSpinWait();
        }
        else if (count < spins + YIELDS)
        {
            if (count % CHECK_INTERVAL == 0)
            {
                check();
            }
            Thread.yield();
        }
        else
        {
            final long leftNs = check();
            mesh.completionQueue().requestNotify(false);
            if (engine.doWork() > 0)
            {
                idles = 0;
            }
            else
            {
                mesh.completionChannel().awaitEvent(Math.min(leftNs, SLEEP_NS));
            }
        }
    }

    private long check()
    {
        mesh.diagnosis().throwIfFailed(engine.sequence());
        final int disagreeing = engine.disagreeingPeer();
        if (disagreeing >= 0)
        {
            throw mesh.diagnosis().mismatch(engine.sequence(), disagreeing);
        }
        final long now = System.nanoTime();
        if (startNs == 0)
        {
            startNs = now;
        }
        final long leftNs = timeoutNs - (now - startNs);
        if (leftNs <= 0)
        {
            throw mesh.diagnosis().timeout(engine.sequence(), engine.waitedPeer(), timeoutNs);
        }
        return leftNs;
    }
}
