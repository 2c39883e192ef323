/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.fault.Diagnosis;

/**
 * The exchange of READY when a round begins: a rank tells those that send to it that it has ended the round before
 * last, and waits for the same of those that it sends to (docs/adr/0003). Not thread-safe; allocates nothing.
 */
final class ReadyExchange
{
    private final Connection[] connections;
    private final ArrivalCounters arrivals;
    private final Diagnosis diagnosis;
    private final SendChain chain;
    private BoundSchedule schedule;
    private long sequence;
    private long round;
    private int immediate;
    private int posted;
    private int awaited;
    private boolean isDone = true;
    private int waitedPeer = -1;

    ReadyExchange(
        final Connection[] connections, final ArrivalCounters arrivals, final Diagnosis diagnosis,
        final SendChain chain)
    {
        this.connections = connections;
        this.arrivals = arrivals;
        this.diagnosis = diagnosis;
        this.chain = chain;
    }

    /** The call that begins needs READY, of which nothing is exchanged yet. */
    void begin(final BoundSchedule bound, final long call, final long ofRound, final int fingerprint)
    {
        schedule = bound;
        sequence = call;
        round = ofRound;
        immediate = Immediate.of(Immediate.READY_CHANNEL, ofRound, fingerprint);
        posted = 0;
        awaited = 0;
        isDone = false;
    }

    /** Whether the call that has begun last can go on. */
    boolean isDone()
    {
        return isDone;
    }

    /** Whether only a message lets the exchange go on, once {@link #advance} has returned false. */
    boolean awaitsMessage()
    {
        return posted == schedule.inPeers.length;
    }

    /** The rank that the exchange waits for. */
    int waitedPeer()
    {
        return waitedPeer;
    }

    /**
     * Goes on as far as it can without waiting.
     *
     * @return whether it is done.
     */
    boolean advance()
    {
        while (posted < schedule.inPeers.length)
        {
            final Endpoint endpoint = connections[schedule.inPeers[posted]].endpoint();
            if (!endpoint.canSend())
            {
                waitedPeer = endpoint.peer();
                return false;
            }
            chain.use(endpoint);
            endpoint.signal(immediate, round);
            posted++;
        }
        while (awaited < schedule.outPeers.length)
        {
            final int peer = schedule.outPeers[awaited];
            if (!arrivals.hasReady(peer))
            {
                waitedPeer = peer;
                return false;
            }
            if (arrivals.takeReady(peer) != immediate)
            {
                throw diagnosis.mismatch(sequence, peer);
            }
            awaited++;
        }
        isDone = true;
        return true;
    }
}
