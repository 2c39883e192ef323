/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;

import org.tutti.bootstrap.AgentContext;
import org.tutti.bootstrap.AgentHandler;
import org.tutti.bootstrap.AgentLink;
import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.codec.Role;

/**
 * A remote agent's end of its link to the coordinator. The link is lost when the job fails, for then nothing is left to
 * be said: the coordinator sends what the agent is to do before that.
 */
public final class AeronAgentLink implements AgentLink
{
    private final AgentContext context;
    private final AgentHandler handler;
    private final String host = Hosts.local();
    private final FailureNotice notice = new FailureNotice();
    private final MemberClient client;

    private AeronAgentLink(final AgentContext context, final AgentHandler handler)
    {
        this.context = context;
        this.handler = handler;
        client = MemberClient.join(
            new MemberContext(
                Role.AGENT,
                context.agent(),
                0,
                context.jobId(),
                host,
                new JobSecret(context.secret().getBytes(StandardCharsets.UTF_8)),
                context.aeronDirectory(),
                context.localSize() + 1,
                context.endpoint(),
                context.joinTimeoutNs()),
            notice);
    }

    /**
     * Starts the media driver of this host and joins the job as its agent.
     *
     * @param context who it is and where the coordinator listens.
     * @param handler hears what the coordinator sends.
     * @return the link, to be closed; the driver ends with it.
     */
    public static AgentLink connect(final AgentContext context, final AgentHandler handler)
    {
        final AeronAgentLink link = new AeronAgentLink(context, handler);
        link.client.start(link.new Listener());
        return link;
    }

    @Override
    public int agent()
    {
        return context.agent();
    }

    @Override
    public String host()
    {
        return host;
    }

    @Override
    public void send(final int type, final byte[] payload)
    {
        final byte[] copy = Arguments.value("message " + type, payload).clone();
        client.tell((writer) -> writer.agentMessageHead(type, copy.length), copy);
    }

    @Override
    public void close()
    {
        client.close();
    }

    /** Hands on what comes, on the client's thread. */
    private final class Listener implements MemberListener
    {
        private boolean isLost;

        @Override
        public void onAgentMessage(final int kind, final byte[] payload)
        {
            handler.onMessage(AeronAgentLink.this, kind, payload);
        }

        @Override
        public void onTick()
        {
            if (!isLost && notice.failure() != null)
            {
                isLost = true;
                handler.onLost(AeronAgentLink.this, notice.failure().cause());
            }
        }
    }
}
