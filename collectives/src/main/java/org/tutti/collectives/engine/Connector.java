/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.EndpointRecord;
import org.tutti.bootstrap.GroupBootstrap;
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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Knows how to reach a rank's peers, by the records that the bootstrap carries, and connects its queue pairs with
 * theirs. What does not fit together is found out here, and named with the ranks that it is of. Not thread-safe.
 */
final class Connector
{
    private static final int PSN_BITS = 24;
    private static final int HOP_LIMIT = 64;
    private static final String SHM = "shm";
    private static final String ENDPOINT = "endpoint/";

    private final Bootstrap bootstrap;
    private final LocalPort local;
    private final PathSettings path;
    private final String host;
    private final String[] names;
    private final String settings;
    private final int mtu;
    private final List<EndpointRecord> records = new ArrayList<>();
    private final int psn = ThreadLocalRandom.current().nextInt(1 << PSN_BITS);

    /**
     * For one rank.
     *
     * @param bootstrap     of the rank.
     * @param local         port of the rank.
     * @param configuration how to connect, and what the rank's host is called.
     * @param names         by rank, to be filled.
     * @param settings      that must be the same on all ranks, as {@link CommonSettings#of}; empty where they were
     *                      compared before.
     */
    Connector(
        final Bootstrap bootstrap, final LocalPort local, final EngineConfiguration configuration,
        final String[] names, final String settings)
    {
        this.settings = settings;
        this.bootstrap = bootstrap;
        this.local = local;
        path = configuration.path();
        host = configuration.host();
        this.names = names;
        mtu = path.mtu(local.port().name(), local.port().attributes().activeMtu);
    }

    /**
     * Tells all ranks where this one is, and learns where they are: all ranks call it.
     *
     * @param scratch   that peers write into.
     * @param control   that peers write into and read.
     * @param timeoutNs how long to wait for the others.
     */
    void exchange(final RegisteredBuffer scratch, final RegisteredBuffer control, final long timeoutNs)
    {
        final EndpointRecord own = record(scratch, control);
        decode(bootstrap.allgather("endpoints", own.encode(), timeoutNs));
        for (int peer = 0; peer < bootstrap.size(); peer++)
        {
            if (peer != bootstrap.rank())
            {
                check(peer, own, records.get(peer));
            }
        }
        // Nobody returns before all know that they fit together.
        bootstrap.barrier("endpoints", timeoutNs);
    }

    private EndpointRecord record(final RegisteredBuffer scratch, final RegisteredBuffer control)
    {
        return new EndpointRecord(
            local.transport(), network(), local.port().device(), host, local.port().number(), mtu,
            local.port().attributes().lid, local.gid().gid().bytes(), new int[0], psn,
            List.of(
                new EndpointRecord.Region(scratch.address(), scratch.length(), scratch.rkey()),
                new EndpointRecord.Region(control.address(), control.length(), control.rkey())),
            settings);
    }

    /**
     * Tells the peers where this rank is, and waits for none: where they are is learnt by {@link #knows}. For ranks
     * that have met before, and fit together.
     *
     * @param scratch that peers write into.
     * @param control that peers write into and read.
     */
    void publish(final RegisteredBuffer scratch, final RegisteredBuffer control)
    {
        records.addAll(Collections.nCopies(bootstrap.size(), null));
        bootstrap.put(ENDPOINT + bootstrap.rank(), record(scratch, control).encode());
    }

    /** Removes what {@link #publish} told, if no peer has taken it. */
    void unpublish()
    {
        bootstrap.take(ENDPOINT + bootstrap.rank());
    }

    /** Whether a peer has told where it is. */
    boolean knows(final int peer)
    {
        if (records.get(peer) == null)
        {
            final byte[] encoded = bootstrap.take(ENDPOINT + peer);
            records.set(peer, encoded == null ? null : EndpointRecord.decode(encoded));
        }
        return records.get(peer) != null;
    }

    /** The first packet sequence number of this rank's connections, 24 bits. */
    int psn()
    {
        return psn;
    }

    /** The host of a rank. */
    String host(final int rank)
    {
        return records.get(rank).host();
    }

    private void decode(final List<byte[]> encoded)
    {
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
            names[rank] = "rank " + rank + " (" + ofJob(rank) + records.get(rank).host() + ")";
        }
    }

    private String ofJob(final int rank)
    {
        return bootstrap instanceof final GroupBootstrap group ? "rank " + group.jobRank(rank) + " of the job, " : "";
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
        final String difference = CommonSettings.difference(own.settings(), us, theirs.settings(), names[peer]);
        if (difference != null)
        {
            throw new BootstrapException(difference);
        }
    }

    /** A type of GIDs that one side cannot tell may be that of the other. */
    private static boolean reaches(final String network, final String other)
    {
        return network.startsWith(other) || other.startsWith(network);
    }

    /** Makes a queue pair ready to take receive requests. */
    void initialize(final QueuePair qp)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.portNum = local.port().number();
        attributes.accessFlags = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
        qp.modify(attributes, QueuePairAttributeMask.RC_INIT);
    }

    /**
     * Connects this end.
     *
     * @param peer       at the other end.
     * @param connection whose queue pair is initialized.
     * @param peerQpNum  the peer's queue pair.
     * @param peerPsn    its first packet sequence number.
     */
    void connect(final int peer, final Connection connection, final int peerQpNum, final int peerPsn)
    {
        connect(peer, connection.queuePair(), peerQpNum, peerPsn, 1);
        final EndpointRecord record = records.get(peer);
        final EndpointRecord.Region scratch = record.regions().get(0);
        final EndpointRecord.Region control = record.regions().get(1);
        connection.remote(peerQpNum, scratch.address(), scratch.rkey(), control.address(), control.rkey());
    }

    /**
     * Connects a queue pair. Changes nothing else: several threads may, once all peers are known.
     *
     * @param peer      at the other end.
     * @param qp        initialized.
     * @param peerQpNum the peer's queue pair.
     * @param peerPsn   its first packet sequence number.
     * @param reads     how many RDMA reads may be under way in each direction, at least 1.
     */
    void connect(final int peer, final QueuePair qp, final int peerQpNum, final int peerPsn, final int reads)
    {
        final EndpointRecord record = records.get(peer);
        final Gid gid = Gid.of(record.gid());
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.RTR;
        attributes.path = new AddressHandleAttributes(isGlobal(gid), gid, 0, local.gid().index(), HOP_LIMIT,
            path.trafficClass(), record.lid(), path.serviceLevel(), 0, 0, local.port().number());
        attributes.pathMtu = Math.min(record.mtu(), mtu);
        attributes.destQpNum = peerQpNum;
        attributes.rqPsn = peerPsn;
        attributes.maxDestRdAtomic = reads;
        attributes.minRnrTimer = path.minRnrTimer();
        modifyToReceive(peer, record, qp, attributes);

        attributes.state = QueuePairState.RTS;
        attributes.timeout = path.ackTimeout();
        attributes.retryCount = path.retryCount();
        attributes.rnrRetry = path.rnrRetry();
        attributes.sqPsn = psn;
        attributes.maxRdAtomic = reads;
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
                !record.host().equals(host))
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
