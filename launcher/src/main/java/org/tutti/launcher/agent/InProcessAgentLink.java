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
 * An agent in the coordinator's own process: messages are calls, made by whichever thread sends. One call is under way
 * at a time per pair of ends; a message that is sent meanwhile, also by a handler, is delivered by the same thread
 * afterwards. No lock is held while a handler runs, so handlers may lock and send as they like.
 */
public final class InProcessAgentLink implements AgentLink
{
    private final int agent;
    private final String host;
    private final AgentHandler handler;
    private final Mailbox mailbox;
    private InProcessAgentLink other;
    private volatile boolean isClosed;

    private InProcessAgentLink(final int agent, final String host, final AgentHandler handler, final Mailbox mailbox)
    {
        this.agent = agent;
        this.host = host;
        this.handler = handler;
        this.mailbox = mailbox;
    }

    /**
     * Connects an agent of this process to a coordinator; the coordinator's handler hears that it joined.
     *
     * @param agent              its number.
     * @param host               its name.
     * @param coordinatorHandler hears what the agent sends; the coordinator's end is handed to its {@code onJoined}.
     * @param agentHandler       hears what the coordinator sends.
     * @return the agent's end.
     */
    public static AgentLink connect(
        final int agent, final String host, final AgentHandler coordinatorHandler, final AgentHandler agentHandler)
    {
        final Mailbox mailbox = new Mailbox();
        final InProcessAgentLink coordinatorEnd = new InProcessAgentLink(agent, host, coordinatorHandler, mailbox);
        final InProcessAgentLink agentEnd = new InProcessAgentLink(agent, host, agentHandler, mailbox);
        coordinatorEnd.other = agentEnd;
        agentEnd.other = coordinatorEnd;
        mailbox.deliver(() -> coordinatorHandler.onJoined(coordinatorEnd));
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
        mailbox.deliver(
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
        mailbox.deliver(
            () ->
            {
                if (!other.isClosed)
                {
                    other.isClosed = true;
                    other.handler.onLost(other, null);
                }
            });
    }

    /** Runs calls one at a time and in order, on the thread of whoever finds it idle. */
    private static final class Mailbox
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
                    // Whatever it is, the calls that follow are made: nobody else would make them.
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
