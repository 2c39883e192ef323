/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;

/** A pair of streams to the agent of another host. */
interface AgentConnection
{
    /** Returns the stream of what the agent sends. */
    InputStream input();

    /** Returns the stream to the agent. */
    OutputStream output();

    /** Returns the address at which the agent's host reaches this one; null if unknown. */
    InetAddress ownAddress();

    /**
     * Starts watching the connection.
     *
     * @param onEnd called if the connection has ended, but its input may not have.
     */
    void start(Runnable onEnd);

    /** Waits at most {@code timeoutMs} milliseconds until the agent has ended; returns whether it has. */
    boolean awaitEnd(long timeoutMs) throws InterruptedException;

    /**
     * Returns why the input ended.
     *
     * @param isGreeted whether the agent's greeting had arrived.
     * @return one line with the fix, if there is one.
     */
    String causeOfEnd(boolean isGreeted);

    /** Ends the connection at once. */
    void destroy();
}
