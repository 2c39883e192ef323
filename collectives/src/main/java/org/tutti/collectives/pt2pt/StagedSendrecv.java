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
 * A send and a receive at once of memory that is not registered: piece by piece, as {@link Staging} makes them for one
 * of both, so that the other rank may use any form. Neither direction waits for the other one: the peer may make all of
 * one before it begins with the other.
 */
final class StagedSendrecv
{
    private StagedSendrecv()
    {
    }

    /**
     * Runs both, after what was started before in the two channels. What fails before the first piece was begun has
     * done no harm.
     *
     * @param receives    the channel by which this rank receives.
     * @param output      output to receive.
     * @param outputCount elements.
     * @param sends       the channel by which this rank sends.
     * @param input       input to send.
     * @param inputCount  elements.
     * @param timeoutNs   timeout of both together, in nanoseconds.
     */
    static void run(
        final Session receives, final MemorySegment output, final long outputCount, final Session sends,
        final MemorySegment input, final long inputCount, final DataType type, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        receives.enter(timeoutNs);
        try
        {
            sends.enter(timeoutNs - (System.nanoTime() - startNs));
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
        final long most = StagingBuffer.MAX_LENGTH / size;
        // What is under way in either direction.
        long receiving = Math.min(outputCount, most);
        long sending = Math.min(inputCount, most);
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
                isDone = Sendrecv.goOn(receives, sends);
                if (receiving > 0 && receives.engine().isDone())
                {
                    MemorySegment.copy(out.segment(), 0, output, received * size, receiving * size);
                    received += receiving;
                    receiving = Math.min(outputCount - received, most);
                    isDone &= !beginAny(receives, type, receiving, out);
                }
                if (sending > 0 && sends.engine().isDone())
                {
                    sent += sending;
                    sending = Math.min(inputCount - sent, most);
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

    /** Begins the next piece, if there is one. */
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
