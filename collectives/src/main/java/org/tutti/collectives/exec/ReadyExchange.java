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
 * The exchange of READY messages when a round begins: a rank tells the ranks that will send to it that the round's part
 * of its SCRATCH is free, and waits for READY from the ranks that it will send to (docs/adr/0037). Not thread-safe;
 * allocates nothing.
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

    /** Starts the exchange for the call that begins. */
    void begin(final BoundSchedule bound, final long call, final long ofRound, final int fingerprint)
    {
        schedule = bound;
        sequence = call;
        round = ofRound;
        immediate = Immediate.ofReady(ofRound, fingerprint);
        posted = 0;
        awaited = 0;
        isDone = false;
    }

    /** Returns whether the exchange of the current call is done. */
    boolean isDone()
    {
        return isDone;
    }

    /** Returns whether the exchange waits for nothing but a message, after {@link #advance} has returned false. */
    boolean awaitsMessage()
    {
        return posted == schedule.inPeers.length;
    }

    /** Returns the rank that the exchange waits for. */
    int waitedPeer()
    {
        return waitedPeer;
    }

    /**
     * Progresses the exchange without blocking.
     *
     * @return true if the exchange is done.
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
            if (!arrivals.hasReady(round, peer))
            {
                waitedPeer = peer;
                return false;
            }
            if (arrivals.takeReady(round, peer) != immediate)
            {
                throw diagnosis.mismatch(sequence, peer);
            }
            awaited++;
        }
        isDone = true;
        return true;
    }
}
