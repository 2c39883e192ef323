/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.HostPort;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.SharedSecret;
import org.tutti.launcher.agent.JoinedNode;
import org.tutti.launcher.agent.NodeGroup;
import org.tutti.launcher.host.HostSlots;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.SlurmAllocation;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.JobSpec;

/** The options of {@code tutti run} for nodes that the user or an orchestrator starts, one launcher on each. */
final class NodeOptions
{
    private static final String NODES = "--nnodes";
    private static final String NODE = "--node-rank";
    private static final String COORDINATOR = "--coordinator";
    private static final int MAX_PORT = 65535;

    private NodeOptions()
    {
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .text("N", "Number of nodes, on each of which this command is started, with -np ranks (default: 1) each. " +
                "All need the same TUTTI_SECRET or TUTTI_SECRET_FILE. Node rank 0 prints all output.", NODES)
            .text("R", "Number of this node, 0 to N - 1.", NODE)
            .text("HOST:PORT", "Address of node rank 0, the same on all nodes; a free TCP and UDP port.", COORDINATOR);
    }

    /**
     * Reads the place of this node.
     *
     * @param options the options of the command.
     * @param size    the number of ranks that the user gave, or -1.
     * @return the place, or null if the user gave none of these options.
     * @throws UsageException if the options are incomplete, invalid or conflict with others.
     */
    static NodePlace read(final OptionBuilder options, final int size)
    {
        final String nodes = options.valueOf(NODES);
        final String node = options.valueOf(NODE);
        final String coordinator = options.valueOf(COORDINATOR);
        if (nodes == null && node == null && coordinator == null)
        {
            return null;
        }
        if (nodes != null)
        {
            SlurmAllocation.requireNodes(
                System.getenv(), number(NODES, nodes, 1, RankPlacement.MAX_RANKS));
        }
        if (nodes == null || node == null || coordinator == null)
        {
            throw new UsageException((nodes == null ? NODES : node == null ? NODE : COORDINATOR) +
                " is missing: nodes without ssh need " + NODES + " N, " + NODE + " R and " + COORDINATOR +
                " HOST:PORT");
        }
        final String other = Stream.of("--host", "--hostfile", "--ssh", "--remote-path", "--address")
            .filter(name -> options.given(name)).findFirst().orElse(null);
        if (other != null)
        {
            throw new UsageException(other + " and " + NODES + " are mutually exclusive: give one of them");
        }
        final int count = number(NODES, nodes, 1, RankPlacement.MAX_RANKS);
        final HostPort address = HostPort.parse(coordinator);
        if (!address.isComplete())
        {
            throw new UsageException("invalid " + COORDINATOR + " '" + coordinator +
                "': give HOST:PORT, such as node0:29500 or [fd00::1]:29500, with a port of 1 to " + MAX_PORT);
        }
        return new NodePlace(
            count,
            number(NODE, node, 0, count - 1),
            address.host(),
            address.port(),
            size < 0 ? 1 : size,
            options.words());
    }

    /** Reads a whole number. */
    static int number(final String name, final String text, final int min, final int max)
    {
        final int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
        if (number < min || number > max)
        {
            throw new UsageException("invalid " + name + " '" + text + "': give " + min + " to " + max);
        }
        return number;
    }

    /**
     * Returns the secret of all nodes.
     *
     * @throws UsageException if there is none, or it is too short.
     */
    static String secret()
    {
        try
        {
            final String secret = SharedSecret.readLong(System.getenv());
            if (secret != null)
            {
                return secret;
            }
        }
        catch (final BootstrapException ex)
        {
            throw new UsageException(ex.getMessage());
        }
        throw new UsageException(NODES + " needs a secret, the same on all nodes: set TUTTI_SECRET, for example to " +
            "the output of 'od -An -N16 -tx1 /dev/urandom | tr -d \" \\n\"', or TUTTI_SECRET_FILE to a file with it");
    }

    /**
     * Waits for the other nodes, and determines where the ranks run.
     *
     * @param place     the place of this node, number 0.
     * @param group     the group of nodes.
     * @param order     the order in which ranks take slots.
     * @param directory the working directory of the ranks on this host, or null.
     * @throws BootstrapException   if nodes are missing after the join timeout.
     * @throws InterruptedException if the thread is interrupted.
     */
    static JobSpec.Where where(
        final NodePlace place, final NodeGroup group, final RankPlacement.Order order, final Path directory)
        throws InterruptedException
    {
        if (directory != null && !Files.isDirectory(directory))
        {
            throw new UsageException("--wdir '" + directory + "' is not a directory: give one that exists");
        }
        group.await(JobEnvironment.joinTimeoutNs(System.getenv()));
        final List<HostSlots> slots = new ArrayList<>();
        slots.add(new HostSlots(Hosts.local(), place.ranks()));
        int size = place.ranks();
        for (final JoinedNode node : group.nodes())
        {
            slots.add(new HostSlots(node.name(), node.ranks()));
            size += node.ranks();
        }
        if (size > RankPlacement.MAX_RANKS)
        {
            throw new UsageException("the nodes have " + size + " ranks, more than the " + RankPlacement.MAX_RANKS +
                " that a job can have: give a lower -np");
        }
        return new JobSpec.Where(RankPlacement.of(slots, size, order),
            directory == null ? null : directory.toAbsolutePath(), null, group);
    }
}
