/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.util.Memory;
import org.tutti.rdma.SendOpcode;

import java.util.concurrent.locks.StampedLock;

/** The way of a rank to its own memory: done at once, by the calling thread. Any number of threads copy at a time. */
final class SelfEndpoint implements WindowPath
{
    private final LocalWindow end;
    private final long address;
    private final Signals signals;
    /** Shared by those who copy; whoever has it alone knows that what was begun before is done. */
    private final StampedLock copies = new StampedLock();

    SelfEndpoint(final LocalWindow end, final Signals signals)
    {
        this.end = end;
        this.signals = signals;
        address = end.descriptor(end.rank()).address();
    }

    @Override
    public void start(
        final int opcode, final long local, final int lkey, final long length, final long offset, final int signal,
        final WindowRequest request, final long timeoutNs)
    {
        final boolean isRead = opcode == SendOpcode.RDMA_READ;
        final long stamp = copies.readLock();
        try
        {
            end.requireOpen();
            copy(isRead ? address + offset : local, isRead ? local : address + offset, length);
            if (signal != NO_SIGNAL)
            {
                signals.add(end.rank(), signal);
            }
        }
        finally
        {
            copies.unlockRead(stamp);
        }
        if (request != null)
        {
            request.end();
        }
    }

    private static void copy(final long from, final long to, final long length)
    {
        if (from != to && Math.abs(from - to) < length)
        {
            throw new IllegalArgumentException(
                "source and target overlap by " + (length - Math.abs(from - to)) + " bytes: they must not");
        }
        Memory.copy(from, to, length);
    }

    @Override
    public void advance()
    {
        // What is under way needs no help.
    }

    @Override
    public long flush(final long startNs, final long timeoutNs)
    {
        awaitCopies();
        return startNs;
    }

    private void awaitCopies()
    {
        copies.unlockWrite(copies.writeLock());
    }

    @Override
    public void await(final WindowRequest request, final long timeoutNs)
    {
        // It was done at once.
    }

    @Override
    public void endConnecting(final long timeoutNs)
    {
        // There is nothing to connect with.
    }

    @Override
    public void close()
    {
        // Of those that come now none copies: the window is closed.
        awaitCopies();
    }
}
