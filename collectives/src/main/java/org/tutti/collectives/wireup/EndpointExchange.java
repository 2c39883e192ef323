/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.config.CommonSettings;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.config.PathSettings;
import org.tutti.collectives.device.LocalPort;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.select.GidText;
import org.tutti.rdma.select.TransportNames;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Exchanges the endpoint records of ranks through the bootstrap, and connects queue pairs. Detects incompatible ranks
 * and reports them by name. Not thread-safe.
 */
public final class EndpointExchange
{
    private static final int PSN_BITS = 24;
    private static final int HOP_LIMIT = 64;

    private final Bootstrap bootstrap;
    private final List<NetDevice> devices;
    private final PathSettings path;
    private final String host;
    private final String hostId;
    private final String[] names;
    private final String settings;
    /** By rank, then by that rank's device. */
    private final List<List<EndpointRecord>> records = new ArrayList<>();
    /** By rank: the index of this rank's device that reaches it. */
    private final int[] deviceIndexes;
    private final int slots;
    private final int psn = ThreadLocalRandom.current().nextInt(1 << PSN_BITS);

    /**
     * Creates the exchange of one rank.
     *
     * @param bootstrap bootstrap of the rank.
     * @param context   context of the rank, with open devices.
     * @param names     names by rank, filled by {@link #exchange}.
     * @param slots     number of slots for exposures of a rank at each peer: see {@link ControlBlock}.
     * @param settings  settings that must be the same on all ranks, from {@link CommonSettings#of}; empty if they were
     *                  compared before.
     */
    EndpointExchange(
        final Bootstrap bootstrap, final CollectiveContext context, final String[] names, final int slots,
        final String settings)
    {
        this.slots = slots;
        this.settings = settings;
        this.bootstrap = bootstrap;
        devices = context.devices();
        path = context.configuration().path();
        host = context.host();
        hostId = hostId(context.configuration(), bootstrap, devices);
        this.names = names;
        deviceIndexes = new int[bootstrap.size()];
        // Validates the setting of the MTU before the ranks connect.
        devices.forEach(this::mtu);
    }

    /**
     * Exchanges endpoint records with all ranks, and connects queue pairs that were created before. Collective.
     *
     * @param scratch   SCRATCH, which peers write.
     * @param control   control block that peers write and read.
     * @param early     initialized connections on the only device. Those for which the peer has also created a queue
     *                  pair are joined; the others are unchanged.
     * @param timeoutNs maximum time to wait for the other ranks, in nanoseconds.
     */
    void exchange(
        final RegisteredBuffer scratch, final RegisteredBuffer control, final List<Connection> early,
        final long timeoutNs)
    {
        final List<EndpointRecord> own = records(scratch, control, early);
        decode(bootstrap.allgather("endpoints", EndpointCodec.encode(own), timeoutNs));
        for (int peer = 0; peer < bootstrap.size(); peer++)
        {
            if (peer != bootstrap.rank())
            {
                check(peer, own, records.get(peer));
            }
        }
        early.forEach(this::connectEarly);
        // No rank returns before all have found that they are compatible, and both sides of early connections can
        // receive.
        bootstrap.barrier("endpoints", timeoutNs);
        early.stream().filter(Connection::isConnected).forEach(Connection::join);
    }

    private void connectEarly(final Connection connection)
    {
        final int peer = connection.peer();
        final EndpointRecord theirs = record(peer);
        for (final EndpointRecord.PeerQueuePair queuePair : theirs.queuePairs())
        {
            if (queuePair.peer() == bootstrap.rank())
            {
                connect(peer, connection, queuePair.number(), theirs.psn());
                connection.connected(queuePair.number(), queuePair.fifoAddress(), queuePair.fifoRkey());
            }
        }
    }

    private List<EndpointRecord> records(
        final RegisteredBuffer scratch, final RegisteredBuffer control, final List<Connection> early)
    {
        final List<EndpointRecord.PeerQueuePair> queuePairs = early.stream().map(EndpointExchange::queuePair).toList();
        return devices.stream().map(device -> record(device, scratch, control, queuePairs)).toList();
    }

    private static EndpointRecord.PeerQueuePair queuePair(final Connection connection)
    {
        final ReceiveFifo fifo = connection.fifo();
        return new EndpointRecord.PeerQueuePair(connection.peer(), connection.queuePair().qpNum(),
            fifo == null ? 0 : fifo.memory().address(), fifo == null ? 0 : fifo.memory().rkey());
    }

    private EndpointRecord record(
        final NetDevice device, final RegisteredBuffer scratch, final RegisteredBuffer control,
        final List<EndpointRecord.PeerQueuePair> queuePairs)
    {
        final LocalPort local = device.port();
        return new EndpointRecord(
            local.transport(), network(local), local.port().device(), host, hostId, local.port().number(), mtu(device),
            local.linkMbit(), local.port().attributes().lid, local.gid().gid(), psn, queuePairs,
            List.of(
                new EndpointRecord.Region(scratch.address(), scratch.length(), scratch.rkey(device.index())),
                new EndpointRecord.Region(control.address(), control.length(), control.rkey(device.index()))),
            settings);
    }

    private int mtu(final NetDevice device)
    {
        return path.mtu(device.port().port().name(), device.port().port().attributes().activeMtu);
    }

    /** Returns the first packet sequence number of this rank's connections, 24 bits. */
    public int psn()
    {
        return psn;
    }

    /** Returns the host of a rank. */
    String host(final int rank)
    {
        return records.get(rank).getFirst().host();
    }

    /**
     * Returns the identity of this rank's host: its name, if the user set one, else the random number that it read in
     * the job's directory, or in the directory for shared memory that the user set. The prefixes keep names and numbers
     * apart.
     */
    private static String hostId(
        final EngineConfiguration configuration, final Bootstrap bootstrap, final List<NetDevice> devices)
    {
        if (!configuration.host().isEmpty())
        {
            return "name " + configuration.host();
        }
        final Optional<GidEntry> memory = configuration.shmDirectory().isEmpty() ? Optional.empty() :
            devices.stream().map(NetDevice::port).filter(LocalPort::isShared).map(LocalPort::gid).findFirst();
        return memory.map(entry -> "memory " + Long.toHexString(entry.gid().high()))
            .orElse("job " + bootstrap.hostId());
    }

    /** Returns the identity of a rank's host. */
    String hostId(final int rank)
    {
        return records.get(rank).getFirst().hostId();
    }

    /** Returns the device that reaches a rank; for this rank the first. */
    NetDevice device(final int peer)
    {
        return devices.get(deviceIndexes[peer]);
    }

    /**
     * Returns whether all ranks reach one another through shared memory. The same on all ranks, as they have the same
     * records.
     */
    boolean isAllShared()
    {
        return NetDeviceChoice.isAllShared(records);
    }

    /** Returns whether the ranks of each host can map one another's memory. The same on all ranks. */
    boolean isLoadableWithinHosts()
    {
        return NetDeviceChoice.isLoadableWithinHosts(records);
    }

    /** Returns the wires within hosts and between them. The same on all ranks, as they have the same records. */
    AlgorithmSelector.Wires wires(final ScratchLayout scratch)
    {
        final String across = records.getFirst().getLast().transport();
        final String within = NetDeviceChoice.isSharedWithinHosts(records) ? TransportNames.SHARED : across;
        return new AlgorithmSelector.Wires(
            WireKind.ofTransport(within), WireKind.ofTransport(across), NetDeviceChoice.slowestMbit(records),
            scratch.longest());
    }

    /** Returns the record of the peer's port that this rank's device reaches. */
    private EndpointRecord record(final int peer)
    {
        final String transport = device(peer).port().transport();
        return records.get(peer).stream().filter(record -> record.transport().equals(transport)).findFirst()
            .orElseThrow();
    }

    /** Returns the index of the device that reaches each rank. */
    int[] deviceIndexes()
    {
        return deviceIndexes.clone();
    }

    /** Returns whether any peer is reached over a device. */
    boolean hasPeersBy(final int deviceIndex)
    {
        return IntStream.range(0, deviceIndexes.length)
            .anyMatch(peer -> peer != bootstrap.rank() && deviceIndexes[peer] == deviceIndex);
    }

    private void decode(final List<byte[]> encoded)
    {
        for (int rank = 0; rank < encoded.size(); rank++)
        {
            try
            {
                records.add(EndpointCodec.decode(encoded.get(rank)));
            }
            catch (final BootstrapException e)
            {
                throw new BootstrapException("rank " + rank + ": " + e.getMessage(), e);
            }
            names[rank] = "rank " + rank + " (" + ofJob(rank) + host(rank) + ")";
        }
    }

    private String ofJob(final int rank)
    {
        return bootstrap instanceof final GroupBootstrap group ? "rank " + group.jobRank(rank) + " of the job, " : "";
    }

    /** Returns the kind of the port's network; different kinds do not interoperate. */
    private static String network(final LocalPort local)
    {
        if (local.transport().equals(TransportNames.TCP))
        {
            return local.gid().gid().isIpv4Mapped() ? "IPv4" : "IPv6";
        }
        final LinkLayer layer = local.port().attributes().linkLayer;
        final GidType type = local.gid().type();
        return layer == LinkLayer.ETHERNET && type != GidType.UNKNOWN ? layer + ", " + type : layer.toString();
    }

    private void check(final int peer, final List<EndpointRecord> own, final List<EndpointRecord> theirs)
    {
        final int chosen = NetDeviceChoice.between(own, theirs);
        if (chosen == NetDeviceChoice.NONE)
        {
            throw new BootstrapException(whyUnreachable(peer, own, theirs));
        }
        deviceIndexes[peer] = chosen;
        final String ourName = names[bootstrap.rank()];
        final String difference = CommonSettings.difference(
            own.getFirst().settings(), ourName, theirs.getFirst().settings(), names[peer]);
        if (difference != null)
        {
            throw new BootstrapException(difference);
        }
    }

    private String whyUnreachable(
        final int peer, final List<EndpointRecord> own, final List<EndpointRecord> theirs)
    {
        final String ourName = names[bootstrap.rank()];
        EndpointRecord near = null;
        for (final EndpointRecord record : own)
        {
            final int counterpart = NetDeviceChoice.counterpart(record, theirs);
            if (counterpart != NetDeviceChoice.NONE)
            {
                final EndpointRecord other = theirs.get(counterpart);
                if (!record.network().equals(other.network()))
                {
                    return "networks differ: " + names[peer] + " uses " + other.device() + " on " + other.network() +
                        ", " + ourName + " uses " + record.device() + " on " + record.network() + ": " +
                        (record.transport().equals(TransportNames.TCP) ? "name the network with TUTTI_DEVICE, such " +
                        "as tcp:10.1.0.0/16" : "choose ports of one network with TUTTI_DEVICE and TUTTI_GID_INDEX") +
                        "; tutti devices lists them";
                }
                near = record;
            }
        }
        if (near != null && host.equals(host(peer)))
        {
            return names[peer] + " and " + ourName + " share no memory, although their hosts have the same name: " +
                "start both with the same TUTTI_SHM_DIR, or in one container, or use --transport auto";
        }
        final boolean isAlike = transports(own).equals(transports(theirs));
        return (near == null ? "transports differ" :
            "transport shm connects ranks of one host only, and " + names[peer] + " is not on the host of " + ourName) +
            (isAlike ? "" :
            ": " + names[peer] + " uses " + transports(theirs) + ", " + ourName + " uses " + transports(own)) +
            (isAlike ? ": use --transport auto" :
            ": set the same TUTTI_TRANSPORT on all ranks; tutti devices lists the devices of a host");
    }

    private static String transports(final List<EndpointRecord> records)
    {
        return String.join(
            TransportNames.SEPARATOR, records.stream().map(EndpointRecord::transport).toList());
    }

    /** Moves a queue pair to INIT, so that receive requests can be posted. */
    public void initialize(final int peer, final QueuePair qp)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.portNum = device(peer).port().port().number();
        attributes.accessFlags = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
        qp.modify(attributes, QueuePairAttributeMask.RC_INIT);
    }

    /**
     * Connects this side of a connection.
     *
     * @param peer       rank of the peer.
     * @param connection connection with a queue pair in INIT.
     * @param peerQpNum  number of the peer's queue pair.
     * @param peerPsn    first packet sequence number of the peer.
     */
    void connect(final int peer, final Connection connection, final int peerQpNum, final int peerPsn)
    {
        connect(peer, connection.queuePair(), peerQpNum, peerPsn, 1);
        final EndpointRecord record = record(peer);
        final EndpointRecord.Region scratch = record.regions().get(0);
        final EndpointRecord.Region control = record.regions().get(1);
        connection.byQueuePair().remote(scratch.address(), scratch.rkey(), control.address(), control.rkey(),
            control.address() + ControlBlock.exposureOffset(bootstrap.rank(), slots));
    }

    /**
     * Connects a queue pair. Thread-safe once all records are known, as it changes only the queue pair.
     *
     * @param peer      rank of the peer.
     * @param qp        queue pair in INIT.
     * @param peerQpNum number of the peer's queue pair.
     * @param peerPsn   first packet sequence number of the peer.
     * @param reads     maximum number of RDMA reads in flight in each direction, at least 1.
     */
    public void connect(final int peer, final QueuePair qp, final int peerQpNum, final int peerPsn, final int reads)
    {
        final NetDevice device = device(peer);
        final LocalPort local = device.port();
        final EndpointRecord record = record(peer);
        final Gid gid = record.gid();
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.RTR;
        attributes.path = new AddressHandleAttributes(isGlobal(local, gid), gid, 0, local.gid().index(), HOP_LIMIT,
            path.trafficClass(), record.lid(), path.serviceLevel(), 0, 0, local.port().number());
        attributes.pathMtu = Math.min(record.mtu(), mtu(device));
        attributes.destQpNum = peerQpNum;
        attributes.rqPsn = peerPsn;
        attributes.maxDestRdAtomic = reads;
        attributes.minRnrTimer = path.minRnrTimer();
        modifyToReceive(peer, local, qp, attributes);

        attributes.state = QueuePairState.RTS;
        attributes.timeout = path.ackTimeout();
        attributes.retryCount = path.retryCount();
        attributes.rnrRetry = path.rnrRetry();
        attributes.sqPsn = psn;
        attributes.maxRdAtomic = reads;
        qp.modify(attributes, QueuePairAttributeMask.RC_RTS);
    }

    /**
     * Returns whether a GRH is needed: within an InfiniBand subnet the LID suffices, unless the user requested a GID.
     */
    private static boolean isGlobal(final LocalPort local, final Gid peer)
    {
        return !local.port().isInfiniBand() || local.isGidRequested() || peer.high() != local.gid().gid().high();
    }

    /** Moves a queue pair to RTR, which resolves the path: on Ethernet the kernel looks up the peer's address now. */
    private void modifyToReceive(
        final int peer, final LocalPort local, final QueuePair qp, final QueuePairAttributes attributes)
    {
        try
        {
            qp.modify(attributes, QueuePairAttributeMask.RC_RTR);
        }
        catch (final RdmaException e)
        {
            throw new BootstrapException(names[bootstrap.rank()] + " cannot connect to " + names[peer] + ", GID " +
                GidText.of(attributes.path.dgid()) + ", from " + local + ", GID " + local.gid().index() + " " +
                GidText.of(local.gid().gid()) + ": " + e.getMessage() +
                ": check that both are on one network; tutti devices lists the GIDs of a host, TUTTI_GID_INDEX " +
                "selects one", e);
        }
    }
}
