/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.DataType;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.staging.Staging;
import org.tutti.collectives.util.Failures;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;

/**
 * A concurrent send and receive of unregistered memory, in the segments that {@link Staging} uses for a single send or
 * receive, so that peers may call {@code send} and {@code recv} instead of {@code sendrecv}. Neither direction waits
 * for the other: a peer may complete one before it begins the other.
 */
final class StagedSendrecv
{
    private StagedSendrecv()
    {
    }

    /**
     * Runs a send and a receive, after all requests that were started earlier in their channels. A failure before the
     * first segment begins leaves the communicator usable.
     *
     * @param receives    channel by which this rank receives.
     * @param output      memory to receive into.
     * @param outputCount number of elements to receive.
     * @param sends       channel by which this rank sends.
     * @param input       memory to send.
     * @param inputCount  number of elements to send.
     * @param type        type of the elements.
     * @param timeoutNs   timeout of send and receive together, in nanoseconds.
     */
    static void run(
        final Session receives, final MemorySegment output, final long outputCount, final Session sends,
        final MemorySegment input, final long inputCount, final DataType type, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        receives.enterAfterRequests(timeoutNs);
        try
        {
            sends.enterAfterRequests(timeoutNs - (System.nanoTime() - startNs));
            try
            {
                receives.waiter().begin(timeoutNs, startNs);
                sends.waiter().begin(timeoutNs, startNs);
                runEntered(receives, output, outputCount, sends, input, inputCount, type);
            }
            finally
            {
                sends.leave();
            }
        }
        finally
        {
            receives.leave();
        }
    }

    private static void runEntered(
        final Session receives, final MemorySegment output, final long outputCount, final Session sends,
        final MemorySegment input, final long inputCount, final DataType type)
    {
        final int size = type.size();
        final long maxElements = StagingBuffer.MAX_LENGTH / size;
        // Lengths of the outstanding segments, in elements.
        long receiving = Math.min(outputCount, maxElements);
        long sending = Math.min(inputCount, maxElements);
        long received = 0;
        long sent = 0;
        boolean begun = false;
        try
        {
            final RegisteredBuffer out = receives.staging().buffer(receiving * size);
            final RegisteredBuffer in = sends.staging().buffer(sending * size);
            MemorySegment.copy(input, 0, in.segment(), 0, sending * size);
            begun = true;
            Sendrecv.begin(receives, type, receiving, out);
            Sendrecv.begin(sends, type, sending, in);
            boolean isDone = false;
            while (!isDone)
            {
                isDone = Sendrecv.progress(receives, sends);
                if (receiving > 0 && receives.engine().isDone())
                {
                    MemorySegment.copy(out.segment(), 0, output, received * size, receiving * size);
                    received += receiving;
                    receiving = Math.min(outputCount - received, maxElements);
                    isDone &= !beginAny(receives, type, receiving, out);
                }
                if (sending > 0 && sends.engine().isDone())
                {
                    sent += sending;
                    sending = Math.min(inputCount - sent, maxElements);
                    MemorySegment.copy(input, sent * size, in.segment(), 0, sending * size);
                    isDone &= !beginAny(sends, type, sending, in);
                }
            }
        }
        catch (final RuntimeException | Error e)
        {
            if (begun || Failures.isMemoryFault(e))
            {
                throw receives.fail(e);
            }
            throw e;
        }
    }

    /** Begins the next segment, if there is one. */
    private static boolean beginAny(
        final Session channel, final DataType type, final long count, final RegisteredBuffer memory)
    {
        if (count > 0)
        {
            Sendrecv.begin(channel, type, count, memory);
        }
        return count > 0;
    }
}
