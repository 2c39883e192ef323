/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.CollectiveException;
import org.tutti.rdma.WorkCompletion;

/**
 * Where a rank's messages come from: the mailboxes that peers store into, and the completion queue, which tells of
 * everything else. Not thread-safe; allocates nothing after construction.
 */
final class Intake
{
    private static final int COMPLETION_BATCH = 16;
    /** How often the completion queue is looked into when messages come by mailboxes: what comes there can wait. */
    private static final int POLLS_PER_QUEUE = 32;

    private final Mesh mesh;
    private final ScheduleEngine engine;
    private final Connection[] connections;
    private final UnsafeBuffer completions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(COMPLETION_BATCH * WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();
    private int queuePolls;
    private boolean isConnecting;
    private boolean isAsleep;
    private boolean needsQueue = true;

    Intake(final Mesh mesh, final ScheduleEngine engine)
    {
        this.mesh = mesh;
        this.engine = engine;
        connections = mesh.connections();
    }

    /**
     * Hands what has come to the engine; what comes by the completion queue, perhaps not at once.
     *
     * @return how much it was.
     */
    int poll()
    {
        int taken = takeMessages();
        if (needsQueue || ++queuePolls % POLLS_PER_QUEUE == 0)
        {
            taken += pollQueue(false);
        }
        if (isAsleep && taken > 0)
        {
            awake();
        }
        return taken;
    }

    /**
     * Hands all that has come to the engine.
     *
     * @param closing whether requests may fail, because peers are gone.
     * @return how much it was.
     */
    int pollAll(final boolean closing)
    {
        int work = 0;
        int last;
        do
        {
            last = takeMessages() + pollQueue(closing);
            work += last;
        }
        while (last > 0);
        return work;
    }

    /**
     * Who has left something for a round that this rank has not come to.
     *
     * @return a rank, or -1.
     */
    int untaken()
    {
        for (final Connection connection : mesh.mailboxes())
        {
            if (connection.mailbox().hasMore())
            {
                return connection.peer();
            }
        }
        return -1;
    }

    /** Connections are made: the completion queue has to be looked into until they stand. */
    void connecting(final boolean isNow)
    {
        isConnecting = isNow;
        decide();
    }

    private void decide()
    {
        needsQueue = isAsleep || isConnecting || !mesh.isAllDirect();
    }

    private int takeMessages()
    {
        int taken = 0;
        final long round = engine.round();
        for (final Connection connection : mesh.mailboxes())
        {
            while (connection.mailbox().take(round))
            {
                engine.onMessage(
                    connection.peer(), connection.mailbox().immediate(), connection.mailbox().blockLength());
                taken++;
            }
        }
        return taken;
    }

    private int pollQueue(final boolean closing)
    {
        final int polled = mesh.completionQueue().poll(completions.addressOffset(), COMPLETION_BATCH);
        if (polled < 0)
        {
            throw new CollectiveException(-1, mesh.diagnosis().where(engine.sequence()) +
                " failed: the completion queue of " + mesh.transport() + " overran", null);
        }
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(completions, i * WorkCompletion.SIZE);
            final long wrId = completion.wrId();
            if (!completion.isSuccess())
            {
                if (closing)
                {
                    continue;
                }
                throw mesh.diagnosis().transportFailure(engine.sequence(), completion);
            }
            if (Connection.isSend(wrId))
            {
                connections[Connection.peerOf(wrId)].onSendCompletion(wrId);
            }
            else
            {
                connections[(int)wrId].onReceive();
                engine.onMessage((int)wrId, completion.immData(), 0);
            }
        }
        return polled;
    }

    /**
     * Asks those who leave messages to wake this rank, until it has taken one. The caller then looks once more for all
     * that has come, sleeps for a moment only, and asks again before it sleeps for longer: a writer that did not see
     * the first time that it was asked has made its message visible by then.
     */
    void fallAsleep()
    {
        isAsleep = true;
        decide();
        for (final Connection connection : mesh.mailboxes())
        {
            connection.mailbox().asleep(true);
        }
        UnsafeApi.fullFence();
    }

    private void awake()
    {
        isAsleep = false;
        decide();
        for (final Connection connection : mesh.mailboxes())
        {
            connection.mailbox().asleep(false);
        }
    }
}
