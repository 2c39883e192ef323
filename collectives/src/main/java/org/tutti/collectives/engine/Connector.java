/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.EndpointRecord;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.select.GidText;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Connects a rank's queue pairs with those of its peers, by the records that the bootstrap carries: all ranks call it.
 * What does not fit together is found out here, and named with the ranks that it is of.
 */
final class Connector
{
    private static final int PSN_BITS = 24;
    private static final int HOP_LIMIT = 64;
    private static final String SHM = "shm";

    private final Bootstrap bootstrap;
    private final LocalPort local;
    private final PathSettings path;
    private final Connection[] connections;
    private final String[] names;
    private final int mtu;
    private final int psn = ThreadLocalRandom.current().nextInt(1 << PSN_BITS);

    /**
     * For one rank.
     *
     * @param bootstrap   of the rank.
     * @param local       port of the rank.
     * @param path        how to connect.
     * @param connections by peer, to be connected.
     * @param names       by rank, to be filled.
     */
    Connector(
        final Bootstrap bootstrap, final LocalPort local, final PathSettings path, final Connection[] connections,
        final String[] names)
    {
        this.bootstrap = bootstrap;
        this.local = local;
        this.path = path;
        this.connections = connections;
        this.names = names;
        mtu = path.mtu(local.port().name(), local.port().attributes().activeMtu);
    }

    void connect(final RegisteredBuffer scratch, final RegisteredBuffer control, final long timeoutNs)
    {
        final int[] qpNums = new int[connections.length];
        for (int peer = 0; peer < qpNums.length; peer++)
        {
            qpNums[peer] = connections[peer] == null ? 0 : connections[peer].queuePair().qpNum();
        }
        final EndpointRecord own = new EndpointRecord(
            local.transport(), network(), local.port().device(), HostName.get(), local.port().number(), mtu,
            local.port().attributes().lid, local.gid().gid().bytes(), qpNums, psn,
            List.of(
                new EndpointRecord.Region(scratch.address(), scratch.length(), scratch.rkey()),
                new EndpointRecord.Region(control.address(), control.length(), control.rkey())));

        final List<EndpointRecord> records = decode(bootstrap.allgather("endpoints", own.encode(), timeoutNs));
        for (int peer = 0; peer < connections.length; peer++)
        {
            final EndpointRecord record = records.get(peer);
            if (connections[peer] != null)
            {
                check(peer, own, record);
                connect(peer, record);
                final EndpointRecord.Region peerScratch = record.regions().get(0);
                final EndpointRecord.Region peerControl = record.regions().get(1);
                connections[peer].remote(
                    record.qpNums()[bootstrap.rank()], peerScratch.address(), peerScratch.rkey(),
                    peerControl.address(), peerControl.rkey());
            }
        }
        bootstrap.barrier("connected", timeoutNs);
    }

    private List<EndpointRecord> decode(final List<byte[]> encoded)
    {
        final List<EndpointRecord> records = new ArrayList<>();
        for (int rank = 0; rank < encoded.size(); rank++)
        {
            try
            {
                records.add(EndpointRecord.decode(encoded.get(rank)));
            }
            catch (final BootstrapException e)
            {
                throw new BootstrapException("rank " + rank + ": " + e.getMessage(), e);
            }
            names[rank] = "rank " + rank + " (" + records.get(rank).host() + ")";
        }
        return records;
    }

    /** What kind of network the port is on, as far as two kinds do not understand each other. */
    private String network()
    {
        final LinkLayer layer = local.port().attributes().linkLayer;
        final GidType type = local.gid().type();
        return layer == LinkLayer.ETHERNET && type != GidType.UNKNOWN ? layer + ", " + type : layer.toString();
    }

    private void check(final int peer, final EndpointRecord own, final EndpointRecord theirs)
    {
        final String us = names[bootstrap.rank()];
        if (!own.transport().equals(theirs.transport()))
        {
            throw new BootstrapException("transports differ: " + names[peer] + " uses " + theirs.transport() + ", " +
                us + " uses " + own.transport() + ": set TUTTI_TRANSPORT alike on all ranks");
        }
        if (!reaches(own.network(), theirs.network()))
        {
            throw new BootstrapException("networks differ: " + names[peer] + " uses " + theirs.device() + " on " +
                theirs.network() + ", " + us + " uses " + own.device() + " on " + own.network() +
                ": choose ports of one network by TUTTI_DEVICE and TUTTI_GID_INDEX, tutti devices shows them");
        }
        final long ourScratch = own.regions().getFirst().length();
        final long theirScratch = theirs.regions().getFirst().length();
        if (ourScratch != theirScratch)
        {
            throw new BootstrapException("TUTTI_SCRATCH differs: " + ourScratch / 2 + " bytes here, " +
                theirScratch / 2 + " on " + theirs.host() + ": set it alike on all ranks");
        }
    }

    /** A type of GIDs that one side cannot tell may be that of the other. */
    private static boolean reaches(final String network, final String other)
    {
        return network.startsWith(other) || other.startsWith(network);
    }

    private void connect(final int peer, final EndpointRecord record)
    {
        final Connection connection = connections[peer];
        final QueuePair qp = connection.queuePair();
        final int port = local.port().number();
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.portNum = port;
        attributes.accessFlags = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
        qp.modify(attributes, QueuePairAttributeMask.RC_INIT);
        connection.postReceives();

        final Gid gid = Gid.of(record.gid());
        attributes.state = QueuePairState.RTR;
        attributes.path = new AddressHandleAttributes(isGlobal(gid), gid, 0, local.gid().index(), HOP_LIMIT,
            path.trafficClass(), record.lid(), path.serviceLevel(), 0, 0, port);
        attributes.pathMtu = Math.min(record.mtu(), mtu);
        attributes.destQpNum = record.qpNums()[bootstrap.rank()];
        attributes.rqPsn = record.psn();
        attributes.maxDestRdAtomic = 1;
        attributes.minRnrTimer = path.minRnrTimer();
        modifyToReceive(peer, record, qp, attributes);

        attributes.state = QueuePairState.RTS;
        attributes.timeout = path.ackTimeout();
        attributes.retryCount = path.retryCount();
        attributes.rnrRetry = path.rnrRetry();
        attributes.sqPsn = psn;
        attributes.maxRdAtomic = 1;
        qp.modify(attributes, QueuePairAttributeMask.RC_RTS);
    }

    /** Within an InfiniBand subnet the LID is the whole address, unless the user asked for a certain GID. */
    private boolean isGlobal(final Gid peer)
    {
        return !local.port().isInfiniBand() || local.isGidWished() || peer.high() != local.gid().gid().high();
    }

    /** The step that finds the way to the peer: on Ethernet the kernel looks up its address now. */
    private void modifyToReceive(
        final int peer, final EndpointRecord record, final QueuePair qp, final QueuePairAttributes attributes)
    {
        try
        {
            qp.modify(attributes, QueuePairAttributeMask.RC_RTR);
        }
        catch (final RdmaException e)
        {
            if (e.errno() == Errno.EHOSTUNREACH && SHM.equals(local.transport()) &&
                !record.host().equals(HostName.get()))
            {
                throw new BootstrapException("transport shm joins the ranks of one host only, and " + names[peer] +
                    " is not on the host of " + names[bootstrap.rank()] + ": use --transport verbs", e);
            }
            throw new BootstrapException(names[bootstrap.rank()] + " cannot connect to " + names[peer] + ", GID " +
                GidText.of(Gid.of(record.gid())) + ", from " + local + ", GID " + local.gid().index() + " " +
                GidText.of(local.gid().gid()) + ": " + e.getMessage() +
                ": are both on one network? tutti devices shows the GIDs of a host, TUTTI_GID_INDEX chooses", e);
        }
    }
}
