/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.tutti.bootstrap.AgentLink;
import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.BootstrapException;

/** The coordinator's end of the link to a remote agent. What it sends is handed to the coordinator's thread. */
final class CoordinatorAgentLink implements AgentLink
{
    private final AeronCoordinator coordinator;
    private final Member member;
    private volatile boolean isClosed;

    CoordinatorAgentLink(final AeronCoordinator coordinator, final Member member)
    {
        this.coordinator = coordinator;
        this.member = member;
    }

    @Override
    public int agent()
    {
        return member.memberId;
    }

    @Override
    public String host()
    {
        return member.host;
    }

    @Override
    public void send(final int type, final byte[] payload)
    {
        if (isClosed)
        {
            throw new BootstrapException("the link to agent " + agent() + " on " + host() + " is closed");
        }
        final byte[] copy = Arguments.value("message " + type, payload).clone();
        coordinator.execute((service) -> service.sendToAgent(member, type, copy));
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            coordinator.execute((service) -> service.dismissAgent(member));
        }
    }

    void lose()
    {
        isClosed = true;
    }
}
