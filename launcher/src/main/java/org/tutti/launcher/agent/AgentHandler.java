/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

/**
 * Receives the messages of the other end of an {@link AgentLink}, and is notified of its loss. Called by one thread of
 * the link at a time: work that takes longer than a heartbeat interval belongs on another thread.
 */
public interface AgentHandler
{
    /**
     * Called when an agent is connected; messages may be sent from now on. Called only at the launcher's end of links
     * within a process.
     *
     * @param link the link to the agent.
     */
    default void onJoined(final AgentLink link)
    {
    }

    /**
     * Called for each message from the other end.
     *
     * @param link    the link on which the message arrived.
     * @param message the message.
     */
    void onMessage(AgentLink link, AgentMessage message);

    /**
     * Called when the other end is lost: nothing more arrives on this link, and sending fails.
     *
     * @param link  the lost link.
     * @param cause the reason in one line, such as "no heartbeat for 10.0 s", or null if the other end closed the link.
     */
    void onLost(AgentLink link, String cause);
}
