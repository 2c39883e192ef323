/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import org.tutti.bootstrap.BootstrapException;

/**
 * One end of the connection between the launcher and the agent of a host. Messages arrive whole, once and in order, or
 * {@link AgentHandler#onLost} reports that the other end is gone.
 * <p>
 * Both ends have the same shape, and an agent in the launcher's own process ({@link InProcessAgentLink}) looks like
 * one on another host, which is reached by ssh. All methods may be called from any thread, also from within the
 * handler.
 */
public interface AgentLink extends AutoCloseable
{
    /**
     * The number of the agent, the same at both ends.
     *
     * @return the number, at least 0.
     */
    int agent();

    /**
     * The host that the agent runs on.
     *
     * @return the host's name.
     */
    String host();

    /**
     * Sends a message to the other end; returns when it is queued.
     *
     * @param message what is sent; it must not change any more.
     * @throws BootstrapException if the link is closed or lost, or the message too long to be sent.
     */
    void send(AgentMessage message);

    /** Closes the link: what was sent before still arrives, then the other end's handler is told. Idempotent. */
    @Override
    void close();
}
