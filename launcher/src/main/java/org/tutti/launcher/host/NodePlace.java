/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.List;

import org.tutti.bootstrap.HostPort;

/**
 * The place of this launcher in a job whose nodes are each started by the user or an orchestrator, rather than by ssh.
 *
 * @param nodes   the number of nodes, at least 1.
 * @param node    the number of this node, from 0; node 0 is the coordinator.
 * @param host    the host of the coordinator.
 * @param port    the TCP and UDP port of the coordinator.
 * @param ranks   the number of ranks on this node, at least 1.
 * @param command the command of the ranks, the same on all nodes.
 */
public record NodePlace(int nodes, int node, String host, int port, int ranks, List<String> command)
{
    /**
     * Returns the address of the coordinator as the user gave it.
     *
     * @return the address, {@code HOST:PORT}.
     */
    public String coordinator()
    {
        return new HostPort(host, port).toString();
    }

    /**
     * Returns the options that start a node, for messages.
     *
     * @param number the number of the node.
     * @return the options of {@code tutti run}.
     */
    public String options(final int number)
    {
        return "--nnodes " + nodes + " --node-rank " + number + " --coordinator " + coordinator();
    }
}
