/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import org.tutti.bootstrap.BootstrapException;

/**
 * One end of the conversation between the launcher and the node agent of a host. Messages are opaque: a number that
 * says what kind they are and some bytes, both given their meaning by the launcher. They arrive whole, once and in
 * order, or {@link AgentHandler#onLost} says that the other end is gone.
 * <p>
 * Both ends have the same shape, and an agent in the launcher's own process ({@link InProcessAgentLink}) looks like
 * one on a remote host, which is spoken to by ssh. All methods may be called from any thread, also from within the
 * handler.
 */
public interface AgentLink extends AutoCloseable
{
    /**
     * Which agent this is a conversation with: the same number at both ends.
     *
     * @return at least 0.
     */
    int agent();

    /**
     * The host that the agent runs on.
     *
     * @return its name.
     */
    String host();

    /**
     * Sends a message to the other end; returns when it is queued.
     *
     * @param type    what kind of message this is, in the launcher's words; any number.
     * @param payload the bytes, copied before the method returns; may be empty.
     * @throws BootstrapException if the link is closed or lost, or the payload too long to be sent.
     */
    void send(int type, byte[] payload);

    /** Ends the conversation: what was sent before still arrives, then the other end's handler is told. Idempotent. */
    @Override
    void close();
}
