/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

/**
 * Receives what one end of an {@link AgentLink} gets from the other. Called by one thread of the link at a time: work
 * that takes longer than a heartbeat belongs to another thread.
 */
public interface AgentHandler
{
    /**
     * An agent is connected; messages may be sent from now on. Called at the launcher's end of links within a process.
     *
     * @param link the link to the agent.
     */
    default void onJoined(final AgentLink link)
    {
    }

    /**
     * The other end sent a message.
     *
     * @param link    the link that it came by.
     * @param message message of the other end.
     */
    void onMessage(AgentLink link, AgentMessage message);

    /**
     * The other end is gone; nothing more comes by this link, and sending fails.
     *
     * @param link  the link that is lost.
     * @param cause the reason in one line, such as "no heartbeat for 10.0 s", or null when the other end closed the
     *              link.
     */
    void onLost(AgentLink link, String cause);
}
