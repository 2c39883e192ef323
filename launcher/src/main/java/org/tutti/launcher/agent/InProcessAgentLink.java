/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.LangUtil;
import org.tutti.bootstrap.BootstrapException;

/**
 * A link to an agent in the launcher's own process: the sending thread calls the other end's handler. Calls are
 * serialized per link; a message that is sent during a call, also by a handler, is delivered afterwards by the same
 * thread. No lock is held while a handler runs, so handlers may lock and send.
 */
public final class InProcessAgentLink implements AgentLink
{
    private final int agent;
    private final String host;
    private final AgentHandler handler;
    private final CallQueue deliveries;
    private InProcessAgentLink other;
    private volatile boolean isClosed;

    private InProcessAgentLink(
        final int agent, final String host, final AgentHandler handler, final CallQueue deliveries)
    {
        this.agent = agent;
        this.host = host;
        this.handler = handler;
        this.deliveries = deliveries;
    }

    /**
     * Connects an agent of this process to the launcher, and notifies the launcher's handler.
     *
     * @param agent           the agent's number.
     * @param host            the name of the host.
     * @param launcherHandler the handler of the agent's messages; its {@code onJoined} receives the launcher's end.
     * @param agentHandler    the handler of the launcher's messages.
     * @return the agent's end.
     */
    public static AgentLink connect(
        final int agent, final String host, final AgentHandler launcherHandler, final AgentHandler agentHandler)
    {
        final CallQueue deliveries = new CallQueue();
        final InProcessAgentLink launcherEnd = new InProcessAgentLink(agent, host, launcherHandler, deliveries);
        final InProcessAgentLink agentEnd = new InProcessAgentLink(agent, host, agentHandler, deliveries);
        launcherEnd.other = agentEnd;
        agentEnd.other = launcherEnd;
        deliveries.deliver(() -> launcherHandler.onJoined(launcherEnd));
        return agentEnd;
    }

    @Override
    public int agent()
    {
        return agent;
    }

    @Override
    public String host()
    {
        return host;
    }

    @Override
    public void send(final AgentMessage message)
    {
        if (isClosed)
        {
            throw new BootstrapException("the link to agent " + agent + " on " + host + " is closed");
        }
        deliveries.deliver(
            () ->
            {
                if (!other.isClosed)
                {
                    other.handler.onMessage(other, message);
                }
            });
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        deliveries.deliver(
            () ->
            {
                if (!other.isClosed)
                {
                    other.isClosed = true;
                    other.handler.onLost(other, null);
                }
            });
    }

    /** Runs calls one at a time and in order, on the thread that adds a call while none runs. */
    private static final class CallQueue
    {
        private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
        private final AtomicInteger pending = new AtomicInteger();

        void deliver(final Runnable call)
        {
            calls.add(call);
            if (pending.getAndIncrement() != 0)
            {
                return;
            }
            Throwable failure = null;
            do
            {
                try
                {
                    calls.remove().run();
                }
                catch (final RuntimeException | Error ex)
                {
                    // Continues with the following calls: no other thread would make them.
                    failure = failure == null ? ex : failure;
                }
            }
            while (pending.decrementAndGet() != 0);
            if (failure != null)
            {
                LangUtil.rethrowUnchecked(failure);
            }
        }
    }
}
