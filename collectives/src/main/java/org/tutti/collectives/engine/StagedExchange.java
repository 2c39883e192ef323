/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;

/**
 * A send and a receive at once of memory that is not registered: piece by piece, as {@link Staging} makes them for one
 * of both, so that the other rank may use any form.
 */
final class StagedExchange
{
    private StagedExchange()
    {
    }

    /**
     * Runs both, after what was started before in the two links. What fails before the first piece was begun has done
     * no harm.
     *
     * @param receives    the link by which this rank receives.
     * @param output      to receive.
     * @param outputCount elements.
     * @param sends       the link by which this rank sends.
     * @param input       to send.
     * @param inputCount  elements.
     * @param timeoutNs   of both together.
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
        final long most = Staging.MAX_LENGTH / type.size();
        final long outputPieces = Math.max(1, Math.ceilDiv(outputCount, most));
        final long inputPieces = Math.max(1, Math.ceilDiv(inputCount, most));
        boolean begun = false;
        try
        {
            for (long piece = 0; piece < Math.max(outputPieces, inputPieces); piece++)
            {
                final long offset = piece * most * type.size();
                final long received = Math.clamp(outputCount - piece * most, 0, most);
                final long sent = Math.clamp(inputCount - piece * most, 0, most);
                final RegisteredBuffer in = sends.staging().buffer(sent * type.size());
                final RegisteredBuffer out = receives.staging().buffer(received * type.size());
                MemorySegment.copy(input, Math.min(offset, input.byteSize()), in.segment(), 0, sent * type.size());
                begun = true;
                if (piece < outputPieces)
                {
                    Exchange.begin(receives, type, received, out);
                }
                if (piece < inputPieces)
                {
                    Exchange.begin(sends, type, sent, in);
                }
                Exchange.await(receives, sends);
                MemorySegment.copy(
                    out.segment(), 0, output, Math.min(offset, output.byteSize()), received * type.size());
            }
        }
        catch (final RuntimeException | Error e)
        {
            if (begun)
            {
                throw receives.fail(e);
            }
            throw e;
        }
    }
}
