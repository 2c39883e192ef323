/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.util.Set;

import org.tutti.bootstrap.BootstrapException;

/** Thrown if hosts that have been part of the job cannot be reached when it starts. */
public final class HostsLostException extends BootstrapException
{
    private static final long serialVersionUID = 1L;

    private final transient Set<String> hosts;

    /**
     * Creates an exception.
     *
     * @param message the hosts and the reasons.
     * @param hosts   the names of the hosts.
     */
    public HostsLostException(final String message, final Set<String> hosts)
    {
        super(message);
        this.hosts = Set.copyOf(hosts);
    }

    /**
     * Returns the hosts that cannot be reached.
     *
     * @return the names of the hosts.
     */
    public Set<String> hosts()
    {
        return hosts;
    }
}
