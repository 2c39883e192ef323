/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(600)
class GateTest
{
    private static final int GATES = Boolean.getBoolean("tutti.test.torture") ? 100_000 : 2_000;
    private static final int SPINS = 1_000;
    private static final int ENTRIES = 200;

    /** The state guarded by a gate: accessed only by the thread inside. */
    private static final class Guarded
    {
        private final Gate gate = new Gate();
        private volatile boolean isFreed;
        private int visitor;
        private int visits;
        private int intrusions;

        boolean visit(final int self)
        {
            if (!gate.enter())
            {
                return false;
            }
            try
            {
                visitor = self;
                final int before = visits;
                Thread.onSpinWait();
                visits = before + 1;
                if (visitor != self || isFreed)
                {
                    intrusions++;
                }
            }
            finally
            {
                gate.exit();
            }
            return true;
        }
    }

    @Test
    void shouldAdmitSuccessiveCalls()
    {
        final Gate gate = new Gate();

        for (int i = 0; i < 10; i++)
        {
            assertTrue(i % 3 == 2 ? gate.enterRarely() : gate.enter());
            gate.exit();
        }
        assertFalse(gate.isClosed());
    }

    @Test
    void shouldAdmitNoThreadWhenClosed() throws InterruptedException
    {
        final Gate gate = new Gate();
        assertTrue(gate.enter());
        gate.exit();

        assertTrue(gate.close());

        assertTrue(gate.isClosed());
        assertFalse(gate.close());
        assertFalse(gate.enter());
        assertFalse(gate.enterRarely());
        final AtomicInteger entries = new AtomicInteger();
        final Thread other = start(() -> entries.addAndGet(gate.enter() ? 1 : 0));
        other.join();
        assertEquals(0, entries.get());
    }

    /** The owner of each gate is entering and exiting when another thread enters. */
    @Test
    void shouldExcludeThreadsWhenAnotherEntersConcurrentlyWithTheOwner() throws InterruptedException
    {
        assumeTwoProcessors();
        final Guarded[] all = guarded();
        final AtomicInteger turn = new AtomicInteger();

        final Thread owner = start(() ->
        {
            for (int i = 0; i < GATES; i++)
            {
                final Guarded guarded = all[i];
                guarded.visit(1);
                turn.set(2 * i + 1);
                for (int j = 1; j < ENTRIES; j++)
                {
                    guarded.visit(1);
                }
                awaitTurn(turn, 2 * i + 2);
            }
        });
        for (int i = 0; i < GATES; i++)
        {
            awaitTurn(turn, 2 * i + 1);
            for (int j = i % 64; j > 0; j--)
            {
                Thread.onSpinWait();
            }
            all[i].visit(2);
            all[i].visit(2);
            turn.set(2 * i + 2);
        }
        owner.join();

        int wrong = 0;
        for (final Guarded guarded : all)
        {
            wrong += guarded.intrusions > 0 || guarded.visits != ENTRIES + 2 ? 1 : 0;
        }
        assertEquals(0, wrong, "gates that admitted two threads at once, of " + GATES);
    }

    @Test
    void shouldWaitForOwnerToExitWhenClosed() throws InterruptedException
    {
        assumeTwoProcessors();
        final Guarded[] all = guarded();
        final AtomicInteger turn = new AtomicInteger();

        final Thread owner = start(() ->
        {
            for (int i = 0; i < GATES; i++)
            {
                all[i].visit(1);
                turn.set(i + 1);
                while (all[i].visit(1) && !all[i].isFreed)
                {
                    // Until the gate is closed: the object must not be freed while the gate is open.
                }
            }
        });
        for (int i = 0; i < GATES; i++)
        {
            awaitTurn(turn, i + 1);
            for (int j = i % 64; j > 0; j--)
            {
                Thread.onSpinWait();
            }
            all[i].gate.close();
            all[i].isFreed = true;
        }
        owner.join();

        int wrong = 0;
        for (final Guarded guarded : all)
        {
            wrong += guarded.intrusions > 0 ? 1 : 0;
        }
        assertEquals(0, wrong, "gates that were closed with the owner inside, of " + GATES);
    }

    @Test
    void shouldAdmitThreadsInTurnWhenOneCallsRarely() throws InterruptedException
    {
        final Guarded guarded = new Guarded();
        final Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++)
        {
            final int self = i;
            threads[i] = start(() ->
            {
                for (int j = 0; j < ENTRIES; j++)
                {
                    guarded.visit(self);
                    assertTrue(guarded.gate.enterRarely());
                    guarded.visits++;
                    guarded.gate.exit();
                }
            });
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }

        assertEquals(0, guarded.intrusions);
        assertEquals(threads.length * ENTRIES * 2, guarded.visits);
    }

    private static Guarded[] guarded()
    {
        final Guarded[] all = new Guarded[GATES];
        for (int i = 0; i < GATES; i++)
        {
            all[i] = new Guarded();
        }
        return all;
    }

    /** Yields, because the other thread may need this processor. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void awaitTurn(final AtomicInteger turn, final int wanted)
    {
        for (int attempt = 0; turn.get() < wanted; attempt++)
        {
            assertFalse(Thread.currentThread().isInterrupted(), "timed out");
            if (attempt < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                Thread.yield();
            }
        }
    }

    private static Thread start(final Runnable action)
    {
        final Thread thread = new Thread(action);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void assumeTwoProcessors()
    {
        final boolean isEnough = Runtime.getRuntime().availableProcessors() > 1;
        if (!isEnough)
        {
            System.err.println("GateTest: skipped: two threads at once need two processors");
        }
        assumeTrue(isEnough);
    }
}
