/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.QueuePair;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The multicast groups of a node's queue pairs. On RoCE, where IP carries the datagrams, the host must be a member of
 * the group too, which rdma_cm does for its users.
 */
final class GroupMemberships implements AutoCloseable
{
    private record Membership(QueuePair queuePair, Gid group)
    {
    }

    private final Map<Membership, Closeable> hostMemberships = new ConcurrentHashMap<>();

    void join(final Context context, final QueuePair queuePair, final Gid group)
    {
        queuePair.attachMulticast(group, 0);
        hostMemberships.computeIfAbsent(new Membership(queuePair, group), (membership) -> joinHost(context, group));
    }

    private static Closeable joinHost(final Context context, final Gid group)
    {
        if (context.queryPort(1).linkLayer != LinkLayer.ETHERNET || !group.isIpv4Mapped())
        {
            return () ->
            {
            };
        }
        try
        {
            final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            final byte[] gid = group.bytes();
            channel.join(InetAddress.getByAddress(Arrays.copyOfRange(gid, Gid.LENGTH - 4, Gid.LENGTH)),
                NetworkInterface.getByIndex(TestPort.source(context).interfaceIndex()));
            return channel;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    void leave(final QueuePair queuePair, final Gid group)
    {
        queuePair.detachMulticast(group, 0);
        closeHost(hostMemberships.remove(new Membership(queuePair, group)));
    }

    private static void closeHost(final Closeable hostMembership)
    {
        try
        {
            hostMembership.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Leaves all groups, as queue pairs must before they are closed. */
    @Override
    public void close()
    {
        for (final Membership membership : hostMemberships.keySet())
        {
            leave(membership.queuePair(), membership.group());
        }
    }
}
