/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.device.NetDeviceQueues;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.endpoint.QueuePairEndpoint;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connects a rank to the peers that its calls need, when the first call needs them. Peers are symmetric in schedules,
 * so both sides connect in the same call, and neither blocks:
 * <pre>
 *   lower rank                            store                          higher rank
 *   creates a queue pair, sends its number ----&gt; takes it, creates and connects a queue pair
 *   takes it, connects                     &lt;---- sends its number
 *   HELLO, over the connection             ----------------------------&gt; may send
 * </pre>
 * Neither side sends before the other can receive: the lower rank learns that from the number, the higher from HELLO.
 * Connections to likely peers are made before the first call, while the ranks of a job connect: see {@link #openEarly}.
 * <p>
 * Not thread-safe. Allocates and queries the bootstrap only while a connection is made.
 */
public final class Wireup
{
    /**
     * Queue pair number, first packet sequence number, address and remote key of the receive FIFO: 4, 4, 8 and 4 bytes.
     */
    private static final int RECORD_LENGTH = 20;
    /** For messages also the addresses and remote keys of the inbox and of the control block. */
    private static final int MESSAGE_RECORD_LENGTH = RECORD_LENGTH + 24;
    private static final long MIN_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The interval between queries is the time waited so far divided by this number. */
    private static final int BACKOFF_DIVISOR = 8;

    private final Team team;
    private final Bootstrap bootstrap;
    private final EndpointExchange endpointExchange;
    private final Connection[] connections;
    /** By peer: the pending query for the peer's record. */
    private final BootstrapRequest[] requests;
    /** Peers that this rank waits for: the first {@link #awaitedCount} elements. */
    private int[] awaited = new int[4];
    private int awaitedCount;
    private int unreachable = -1;
    private long startNs;
    private long nextNs;

    Wireup(final Team team, final EndpointExchange endpointExchange)
    {
        this.team = team;
        this.endpointExchange = endpointExchange;
        bootstrap = team.bootstrap();
        connections = team.connections();
        requests = new BootstrapRequest[connections.length];
    }

    /**
     * Opens connections that a job's first calls are likely to need, for {@link EndpointExchange#exchange} to connect:
     * those to ranks at power-of-two distances, the partners in recursive doubling, binomial trees, dissemination and
     * rings. Opens none if a peer's device is known only after that exchange, or if the device cannot connect all
     * ranks.
     *
     * @return connections, nearest peers first.
     */
    List<Connection> openEarly()
    {
        final List<Connection> early = new ArrayList<>();
        final int size = connections.length;
        if (bootstrap != team.context().job() || team.context().devices().size() > 1 ||
            team.queues(-1).sizes().connections() < size - 1)
        {
            return early;
        }
        for (int distance = 1; distance < size; distance *= 2)
        {
            openIfAbsent((team.rank() + distance) % size, early);
            openIfAbsent((team.rank() - distance + size) % size, early);
        }
        return early;
    }

    private void openIfAbsent(final int peer, final List<Connection> early)
    {
        if (connections[peer] == null)
        {
            early.add(open(peer));
        }
    }

    /** Starts to connect to the peers that are not connected, until one is {@link #unreachable}. */
    public void require(final int[] peers)
    {
        for (final int peer : peers)
        {
            if (unreachable >= 0)
            {
                return;
            }
            if (connections[peer] != null && connections[peer].isJoined())
            {
                checkReach(peer);
            }
            else if (!isListed(peer))
            {
                begin(peer);
            }
        }
        startNs = System.nanoTime();
        nextNs = startNs;
    }

    /**
     * Progresses the connections without blocking.
     *
     * @return true if all required connections are ready, and no peer is {@link #unreachable}.
     */
    public boolean advance()
    {
        removeJoined();
        if (awaitedCount == 0 || unreachable >= 0)
        {
            return unreachable < 0;
        }
        final long now = System.nanoTime();
        final boolean queries = now - nextNs >= 0;
        for (int i = 0; i < awaitedCount && unreachable < 0; i++)
        {
            take(awaited[i], queries);
        }
        if (queries)
        {
            nextNs = now + Math.clamp((now - startNs) / BACKOFF_DIVISOR, MIN_PAUSE_NS, MAX_PAUSE_NS);
        }
        removeJoined();
        return awaitedCount == 0 && unreachable < 0;
    }

    /** Returns a peer that this rank waits for to connect, or -1. */
    public int awaited()
    {
        return awaitedCount == 0 ? -1 : awaited[0];
    }

    /** Returns whether this rank waits for a peer that has not begun a call that connects the two ranks. */
    public boolean isAwaited(final int peer)
    {
        return isListed(peer) && !connections[peer].isConnected();
    }

    private boolean isListed(final int peer)
    {
        for (int i = 0; i < awaitedCount; i++)
        {
            if (awaited[i] == peer)
            {
                return true;
            }
        }
        return false;
    }

    private void begin(final int peer)
    {
        final Connection connection = connections[peer] == null ? open(peer) : connections[peer];
        if (awaitedCount == awaited.length)
        {
            awaited = Arrays.copyOf(awaited, 2 * awaitedCount);
        }
        awaited[awaitedCount++] = peer;
        if (team.rank() < peer)
        {
            publish(peer, connection);
        }
    }

    /**
     * Creates a queue pair for a peer, not connected yet, and makes room for its completions.
     *
     * @param peer peer without a connection.
     * @return connection, which is added to the team's.
     * @throws RdmaException if the device has no room for another queue pair.
     */
    Connection open(final int peer)
    {
        final NetDevice device = team.device(peer);
        final NetDeviceQueues queues = team.queues(peer);
        final QueuePair qp = queues.open(team.maxInline());
        final TeamMemory memory = team.memory();
        final boolean mayMap = team.context().configuration().direct() && device.port().isShared();
        final ReceiveFifo fifo = mayMap ? memory.allocateFifo(peer) : null;
        final QueuePairEndpoint endpoint = new QueuePairEndpoint(
            peer, qp, device.index(), queues.sizes(), team.maxInline(), memory.allocateEndpoint());
        final Connection connection = new Connection(endpoint, fifo, memory.allocateInbox());
        team.connectionTable().add(connection);
        endpointExchange.initialize(peer, qp);
        endpoint.postReceives();
        return connection;
    }

    private void publish(final int peer, final Connection connection)
    {
        final RegisteredBuffer inbox = connection.inbox();
        final byte[] bytes = new byte[inbox == null ? RECORD_LENGTH : MESSAGE_RECORD_LENGTH];
        final UnsafeBuffer record = new UnsafeBuffer(bytes);
        record.putInt(0, connection.queuePair().qpNum());
        record.putInt(4, endpointExchange.psn());
        record.putLong(8, connection.fifo() == null ? 0 : connection.fifo().memory().address());
        record.putInt(16, connection.fifo() == null ? 0 : connection.fifo().memory().rkey());
        if (inbox != null)
        {
            final int deviceIndex = connection.byQueuePair().deviceIndex();
            record.putLong(20, inbox.address());
            record.putInt(28, inbox.rkey(deviceIndex));
            record.putLong(32, team.memory().controlBuffer().address());
            record.putInt(40, team.memory().controlBuffer().rkey(deviceIndex));
        }
        bootstrap.putAsync(key(team.rank(), peer), bytes);
    }

    private void take(final int peer, final boolean queries)
    {
        final Connection connection = connections[peer];
        if (connection.isConnected())
        {
            return;
        }
        if (requests[peer] == null && queries)
        {
            requests[peer] = bootstrap.takeAsync(key(peer, team.rank()));
        }
        if (requests[peer] == null || !requests[peer].test())
        {
            return;
        }
        final byte[] bytes = requests[peer].value();
        requests[peer] = null;
        if (bytes == null)
        {
            return;
        }
        final UnsafeBuffer record = new UnsafeBuffer(bytes);
        if (connection.inbox() == null)
        {
            endpointExchange.connect(peer, connection, record.getInt(0), record.getInt(4));
        }
        else
        {
            endpointExchange.connect(peer, connection.queuePair(), record.getInt(0), record.getInt(4), 1);
            connection.byQueuePair().remote(
                record.getLong(20), record.getInt(28), record.getLong(32), record.getInt(40), 0);
        }
        connection.connected(record.getInt(0), record.getLong(8), record.getInt(16));
        if (!checkReach(peer))
        {
            return;
        }
        if (team.rank() < peer)
        {
            connection.join();
            connection.byQueuePair().signal(Immediate.HELLO);
            connection.byQueuePair().flush();
        }
        else
        {
            publish(peer, connection);
        }
    }

    /**
     * Returns a required peer with memory that cannot be mapped although all ranks reported shared memory: all ranks
     * have selected algorithms on that assumption, so no call can progress.
     *
     * @return rank, or -1.
     */
    public int unreachable()
    {
        return unreachable;
    }

    private boolean checkReach(final int peer)
    {
        final boolean isReached = connections[peer].isDirect() || !team.mustMap(peer);
        unreachable = isReached || unreachable >= 0 ? unreachable : peer;
        return isReached;
    }

    /** Removes the records that this rank has published and no peer has taken. */
    public void withdraw()
    {
        try
        {
            for (int peer = 0; peer < connections.length; peer++)
            {
                if (connections[peer] != null && !connections[peer].isJoined())
                {
                    bootstrap.take(key(team.rank(), peer));
                }
            }
        }
        catch (final BootstrapException jobFailed)
        {
            // The job has ended, and the store with it.
        }
    }

    private void removeJoined()
    {
        int left = 0;
        for (int i = 0; i < awaitedCount; i++)
        {
            if (!connections[awaited[i]].isJoined())
            {
                awaited[left++] = awaited[i];
            }
        }
        awaitedCount = left;
    }

    private static String key(final int from, final int to)
    {
        return "qp/" + from + '-' + to;
    }
}
