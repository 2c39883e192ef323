/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

/**
 * What one end of an {@link AgentLink} hears from the other. Called by one thread at a time, which is the transport's
 * own: work that takes longer than a heartbeat belongs to another thread.
 */
public interface AgentHandler
{
    /**
     * An agent joined; messages may be sent from now on. Heard by the coordinator's end only.
     *
     * @param link to the agent.
     */
    default void onJoined(final AgentLink link)
    {
    }

    /**
     * The other end sent a message.
     *
     * @param link    the link that it came by.
     * @param message what the other end sent.
     */
    void onMessage(AgentLink link, AgentMessage message);

    /**
     * The other end is gone; nothing more comes by this link, and sending fails.
     *
     * @param link  that is lost.
     * @param cause one line for people, such as "no heartbeat for 10.0 s", or null when the other end closed the link.
     */
    void onLost(AgentLink link, String cause);
}
