/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.util.Memory;
import org.tutti.rdma.SendOpcode;

import java.util.concurrent.locks.StampedLock;

/**
 * The path of a rank to its own memory. The calling thread copies synchronously; any number of threads copy
 * concurrently.
 */
final class SelfEndpoint implements WindowPath
{
    private final LocalWindow window;
    private final long address;
    private final Signals signals;
    /** Read lock: held while copying; write lock: acquired to wait until earlier copies are done. */
    private final StampedLock copies = new StampedLock();

    SelfEndpoint(final LocalWindow window, final Signals signals)
    {
        this.window = window;
        this.signals = signals;
        address = window.descriptor(window.rank()).address();
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
            window.requireOpen();
            copy(isRead ? address + offset : local, isRead ? local : address + offset, length);
            if (signal != NO_SIGNAL)
            {
                signals.add(window.rank(), signal);
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
                "source and target overlap by " + (length - Math.abs(from - to)) + " bytes: they must be disjoint");
        }
        Memory.copy(from, to, length);
    }

    @Override
    public void advance()
    {
        // Copies in progress need no polling.
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
        // Completed in start().
    }

    @Override
    public void endConnecting(final long timeoutNs)
    {
        // Needs no connection.
    }

    @Override
    public void close()
    {
        // No later call copies, as the window is closed.
        awaitCopies();
    }
}
