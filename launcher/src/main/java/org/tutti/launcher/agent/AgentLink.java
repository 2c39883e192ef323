/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import org.tutti.bootstrap.BootstrapException;

/**
 * One end of the connection between the launcher and the agent of a host. Messages are delivered completely, exactly
 * once and in order, or {@link AgentHandler#onLost} reports that the other end is lost.
 * <p>
 * The interface is the same for both ends, and for agents in the launcher's own process ({@link InProcessAgentLink})
 * and on other hosts, reached by ssh. Thread-safe; methods may also be called by the handler.
 */
public interface AgentLink extends AutoCloseable
{
    /**
     * Returns the number of the agent, the same at both ends.
     *
     * @return the number, at least 0.
     */
    int agent();

    /**
     * Returns the host of the agent.
     *
     * @return the name of the host.
     */
    String host();

    /**
     * Queues a message for the other end.
     *
     * @param message the message to send; must not be modified afterwards.
     * @throws BootstrapException if the link is closed or lost, or the message is too long.
     */
    void send(AgentMessage message);

    /** Closes the link. Messages sent before still arrive, then the other end's handler is notified. Idempotent. */
    @Override
    void close();
}
