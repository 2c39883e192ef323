/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.ReceiveRequest;
import org.tutti.collectives.progress.ProgressRequest;
import org.tutti.collectives.wireup.PooledDataBuffer;

/** A send or receive that can be started once, or repeatedly if it is persistent. */
final class MessageRequest extends ProgressRequest implements ReceiveRequest, MessageOperation.Listener
{
    private final PooledDataBuffer buffer;
    private final MessageOperation operation;
    private final MessageStatus status = new MessageStatus();

    MessageRequest(
        final MessageProgress owner, final MessageOperation operation, final PooledDataBuffer buffer,
        final long timeoutNs, final boolean isPersistent)
    {
        super(owner, timeoutNs, isPersistent);
        this.operation = operation;
        this.buffer = buffer;
        operation.request = this;
        useBuffers(1);
    }

    MessageOperation operation()
    {
        return operation;
    }

    @Override
    protected void useBuffers(final int change)
    {
        buffer.use(change);
    }

    @Override
    public void finished(final RuntimeException cause)
    {
        if (cause == null && !operation.isSend)
        {
            operation.copyTo(status);
        }
        end(cause == null ? State.DONE : State.FAILED, cause);
    }

    @Override
    public MessageStatus status()
    {
        if (!isDone())
        {
            throw new IllegalStateException("the request is not done: await it first");
        }
        return status;
    }
}
