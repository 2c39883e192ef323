/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.Immediate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connects a rank with the peers that its calls need, when the first call needs them. A schedule's peers have it as
 * their peer too, so both ends do this in the same call, and neither waits in a verb or for the other's message:
 * <pre>
 *   lower rank                          store                          higher rank
 *   makes a queue pair, tells its number ----&gt; takes it, makes a queue pair, which stands now
 *   takes it, connects: it stands too    &lt;---- tells its number
 *   HELLO, by the connection             ----------------------------&gt; may send
 * </pre>
 * So neither end sends before the other can receive: the lower rank learns that from the number, the higher by HELLO.
 * Connections with likely peers are made before the first call, while the ranks of a job meet: see {@link #openEarly}.
 * <p>
 * Not thread-safe. Allocates, and asks the bootstrap, only while a connection is made.
 */
public final class Wireup
{
    /** Queue pair, first packet sequence number, and where the receive FIFO is: 4, 4, 8 and 4 bytes. */
    private static final int RECORD_LENGTH = 20;
    private static final long MIN_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A peer that has been waited for long is polled less often. */
    private static final int PAUSES = 8;

    private final Team team;
    private final Bootstrap bootstrap;
    private final EndpointExchange endpointExchange;
    private final Connection[] connections;
    /** By peer: asks for what it has told, until that is answered. */
    private final BootstrapRequest[] requests;
    /** Peers that this rank waits for, the first {@link #awaitedCount}. */
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
     * those with ranks at distances that are powers of two, the partners of recursive doubling, binomial trees,
     * dissemination and rings. None where a peer's device is known only after that exchange, nor where the device
     * cannot connect all ranks.
     *
     * @return the connections, the nearest peers' first.
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

    /** Begins to connect with those of the peers that are not connected, until one is {@link #unreachable}. */
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
     * Goes on as far as it can without waiting for a peer.
     *
     * @return whether all required connections are ready, and none of the peers is {@link #unreachable}.
     */
    public boolean advance()
    {
        removeJoined();
        if (awaitedCount == 0 || unreachable >= 0)
        {
            return unreachable < 0;
        }
        final long now = System.nanoTime();
        final boolean asks = now - nextNs >= 0;
        for (int i = 0; i < awaitedCount && unreachable < 0; i++)
        {
            take(awaited[i], asks);
        }
        if (asks)
        {
            nextNs = now + Math.clamp((now - startNs) / PAUSES, MIN_PAUSE_NS, MAX_PAUSE_NS);
        }
        removeJoined();
        return awaitedCount == 0 && unreachable < 0;
    }

    /** A peer that is waited for, or -1. */
    public int awaited()
    {
        return awaitedCount == 0 ? -1 : awaited[0];
    }

    /** Whether a peer is waited for: then it has not begun a call that connects it with this rank. */
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
            tell(peer, connection);
        }
    }

    private Connection open(final int peer)
    {
        final Connection connection = team.open(peer);
        endpointExchange.initialize(peer, connection.queuePair());
        connection.byQueuePair().postReceives();
        return connection;
    }

    private void tell(final int peer, final Connection connection)
    {
        final byte[] bytes = new byte[RECORD_LENGTH];
        final UnsafeBuffer record = new UnsafeBuffer(bytes);
        record.putInt(0, connection.queuePair().qpNum());
        record.putInt(4, endpointExchange.psn());
        record.putLong(8, connection.fifo() == null ? 0 : connection.fifo().memory().address());
        record.putInt(16, connection.fifo() == null ? 0 : connection.fifo().memory().rkey());
        bootstrap.putAsync(key(team.rank(), peer), bytes);
    }

    private void take(final int peer, final boolean asks)
    {
        final Connection connection = connections[peer];
        if (connection.isConnected())
        {
            return;
        }
        if (requests[peer] == null && asks)
        {
            requests[peer] = bootstrap.takeAsync(key(peer, team.rank()));
        }
        if (!endpointExchange.knows(peer, asks) || requests[peer] == null || !requests[peer].test())
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
        endpointExchange.connect(peer, connection, record.getInt(0), record.getInt(4));
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
            tell(peer, connection);
        }
    }

    /**
     * A required peer whose memory is not within reach of loads and stores although that of all ranks was said to be:
     * all ranks have chosen algorithms by that, so no call can go on.
     *
     * @return a rank, or -1.
     */
    public int unreachable()
    {
        return unreachable;
    }

    private boolean checkReach(final int peer)
    {
        final boolean isReached = connections[peer].isDirect() || !team.isDirect();
        unreachable = isReached || unreachable >= 0 ? unreachable : peer;
        return isReached;
    }

    /** Removes what this rank told a peer, if that one has not taken it. */
    void withdraw(final int peer)
    {
        bootstrap.take(key(team.rank(), peer));
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
