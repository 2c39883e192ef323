/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Ranks;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Limits the stack depth at which a short call stores its message: in interpreted code each frame costs time. */
class CallDepthTest
{
    private static final int MOST = 8;
    /** The frames from the endpoint's method: it, the one that publishes the line, and the store. */
    private static final List<String> BELOW = List.of("sendEager", "publish", "putIntRelease");

    @Test
    void shouldReachStoreOfShortAllreduceWithinEightStackFrames()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(Communicator::barrier);
            final Connection connection = ranks.team(0).connections()[1];
            final RecordingEndpoint recording = new RecordingEndpoint(connection.endpoint());
            assertTrue(connection.isDirect());
            connection.use(recording);

            ranks.run(communicator ->
            {
                try (DataBuffer buffer = communicator.allocate(DataType.INT32, 2))
                {
                    communicator.allreduce(buffer, ReduceOp.SUM);
                }
            });
            connection.use(recording.endpoint);

            assertEquals("allreduce", recording.frames.getLast());
            assertTrue(recording.frames.size() + BELOW.size() <= MOST, () -> recording.frames + " above " + BELOW);
        }
    }

    /** Records the stack of an eager send, from the endpoint's caller to the API method, then sends. */
    private static final class RecordingEndpoint extends Endpoint
    {
        private final Endpoint endpoint;
        private List<String> frames = List.of();

        RecordingEndpoint(final Endpoint endpoint)
        {
            super(endpoint.peer());
            this.endpoint = endpoint;
            remote(endpoint);
        }

        @Override
        public void sendEager(
            final long address, final int length, final long remoteAddress, final int immediate, final long round)
        {
            final List<String> all = StackWalker.getInstance().walk(stack ->
                stack.skip(1).map(StackWalker.StackFrame::getMethodName).toList());
            // The method with two buffers, below the convenience method with one.
            frames = all.subList(0, all.indexOf("allreduce") + 1);
            endpoint.sendEager(address, length, remoteAddress, immediate, round);
        }

        @Override
        public int deviceIndex()
        {
            return endpoint.deviceIndex();
        }

        @Override
        public boolean isDirect()
        {
            return endpoint.isDirect();
        }

        @Override
        public boolean canSend()
        {
            return endpoint.canSend();
        }

        @Override
        public boolean isFull()
        {
            return endpoint.isFull();
        }

        @Override
        public boolean putWithImmediate(
            final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
            final int immediate, final long round, final boolean signaled)
        {
            return endpoint.putWithImmediate(
                address, lkey, length, remoteAddress, rkey, immediate, round, signaled);
        }

        @Override
        public boolean isEager(final long length)
        {
            return endpoint.isEager(length);
        }

        @Override
        public long lastPut()
        {
            return endpoint.lastPut();
        }

        @Override
        public boolean isDone(final long ordinal)
        {
            return endpoint.isDone(ordinal);
        }

        @Override
        public void sendLength(final long length, final int immediate, final long round)
        {
            endpoint.sendLength(length, immediate, round);
        }

        @Override
        public void signal(final int immediate, final long round)
        {
            endpoint.signal(immediate, round);
        }

        @Override
        public void expose(
            final int slot, final RegisteredBuffer output, final long offset, final long length,
            final RegisteredBuffer input, final int immediate, final long round)
        {
            endpoint.expose(slot, output, offset, length, input, immediate, round);
        }

        @Override
        public long reach(final long address, final long length, final int rkey)
        {
            return endpoint.reach(address, length, rkey);
        }

        @Override
        public boolean isInputValid()
        {
            return endpoint.isInputValid();
        }

        @Override
        public void flush()
        {
            endpoint.flush();
        }
    }
}
