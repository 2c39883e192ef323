/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.host.Ports;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.RemoteOptions;

/** The addresses at which the hosts of a job reach this host, where the launcher and the coordinator run. */
final class LauncherAddresses
{
    private final JobSpec.Where where;
    private final RemoteHost[] remotes;
    private final AgentMessage.Ready[] readies;
    /** The address of this host for each other host; null for this host. */
    private final InetAddress[] addresses;

    /**
     * Determines the addresses.
     *
     * @param where   the hosts of the job.
     * @param remotes the other hosts; null for this host.
     * @param readies what the agents of the other hosts reported; null for this host.
     * @throws BootstrapException if the address for a host cannot be determined.
     */
    LauncherAddresses(final JobSpec.Where where, final RemoteHost[] remotes, final AgentMessage.Ready[] readies)
    {
        this.where = where;
        this.remotes = remotes;
        this.readies = readies;
        addresses = new InetAddress[remotes.length];
        for (int i = 0; i < remotes.length; i++)
        {
            addresses[i] = remotes[i] == null ? null : find(i);
        }
    }

    private InetAddress find(final int host)
    {
        final InetAddress known = remotes[host].ownAddress();
        final InetAddress address = known == null ? guess(host) : known;
        if (address == null)
        {
            throw new BootstrapException("cannot determine the address of this host for " + remotes[host].name() +
                ": give --address with one of " + OwnAddress.describe());
        }
        return address;
    }

    private InetAddress guess(final int host)
    {
        final RemoteOptions remote = where.remote();
        return remote.address() != null ? remote.address() :
            OwnAddress.towards(remote.names().address(remotes[host].name()), readies[host].client());
    }

    private Stream<InetAddress> all()
    {
        return Arrays.stream(addresses).filter(Objects::nonNull);
    }

    /** Returns the UDP endpoint at which all hosts can reach the coordinator; null if there are no other hosts. */
    String coordinatorEndpoint()
    {
        final int port = where.nodes() == null ? 0 : where.nodes().port();
        final Set<InetAddress> distinct = new HashSet<>();
        all().forEach(distinct::add);
        if (distinct.isEmpty())
        {
            return null;
        }
        if (distinct.size() == 1)
        {
            return OwnAddress.endpoint(distinct.iterator().next(), port);
        }
        return (distinct.stream().allMatch(address -> address.getAddress().length == 4) ? "0.0.0.0:" : "[::]:") + port;
    }

    /** Returns the UDP endpoint at which another host reaches the coordinator, which has a port. */
    String coordinatorEndpoint(final int host, final int port)
    {
        return OwnAddress.endpoint(addresses[host], port);
    }

    /** Returns the address of rank 0's host for the other hosts, and a free port there. */
    RankEnvironment.Master master() throws IOException
    {
        final RankPlacement placement = where.placement();
        final int first = placement.hostOf(0);
        if (remotes[first] != null)
        {
            final String server = readies[first].server();
            return new RankEnvironment.Master(
                server.isEmpty() ? remotes[first].name() : server, readies[first].port());
        }
        if (!placement.isRemoteUsed())
        {
            final InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
            return new RankEnvironment.Master(loopback.getHostAddress(), Ports.free(loopback));
        }
        // Nodes on this host may reach it by a loopback address.
        final InetAddress own = all().min(Comparator.comparing(InetAddress::isLoopbackAddress)).orElseThrow();
        return new RankEnvironment.Master(OwnAddress.text(own), Ports.free(own));
    }
}
