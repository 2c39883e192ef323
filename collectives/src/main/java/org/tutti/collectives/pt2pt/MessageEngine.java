/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.PointToPoint;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.exec.ProgressEngine;
import org.tutti.collectives.exec.SendChain;
import org.tutti.collectives.fault.ClosedPeers;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.fault.WaitReporter;
import org.tutti.collectives.pt2pt.MessageOperation.Stage;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.collectives.wireup.Team;
import org.tutti.collectives.wireup.Wireup;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Sends and receives the point-to-point messages of a communicator (docs/adr/0038).
 * <pre>
 *   eager       sender   EAGER, data  -------------&gt;  receiver copies the data
 *   rendezvous  sender   READY_TO_SEND  -----------&gt;  receiver
 *     one host           &lt;------------------  COPIED  has copied the data from the sender's memory
 *     otherwise          &lt;-----------  CLEAR_TO_SEND  for a range of its memory
 *                        RDMA write, DATA  --------&gt;  and so on, until it has all ranges
 * </pre>
 * A receive matches a message by the rules of {@link MatchingQueues}. Messages that are taken from an inbox and match
 * no posted receive are kept: the data of eager messages, up to {@link MessageInbox#MAX_UNMATCHED}, and the envelopes
 * of others. So every inbox is emptied whenever this rank makes progress, and no message waits behind another one that
 * no receive matches.
 * <p> Used with the lock of the communicator's messages held. Allocates only when there are more operations or
 * unexpected messages than ever before.
 */
final class MessageEngine implements ProgressEngine
{
    /** Time within which the last messages of a peer arrive after it has closed; it frees its queue pairs by then. */
    private static final long LAST_MESSAGES_NS = TimeUnit.SECONDS.toNanos(10);

    private final Team team;
    private final Wireup wireup;
    private final MessageDiagnosis diagnosis;
    private final WaitReporter waits;
    private final ClosedPeers closed;
    private final MessageWorker worker;
    private final SendChain chain = new SendChain();
    private final ResourceScope resources = new ResourceScope();
    private final MessagePeers peers;
    private final StagingBuffers staging;
    private final OperationTable operations;
    private final MessageSender sender;
    private final MessageReceiver receiver;
    private final MatchingQueues<MessageOperation, IncomingMessage> queues;
    private boolean isConnecting;
    private boolean isConnectedToAll;

    MessageEngine(final Team team)
    {
        this.team = team;
        wireup = team.wireup();
        staging = new StagingBuffers(team.pool());
        operations = new OperationTable(staging);
        queues = new MatchingQueues<>(team.size());
        diagnosis = new MessageDiagnosis(team, operations, queues);
        peers = new MessagePeers(team.size(), operations, diagnosis);
        sender = new MessageSender(operations, staging);
        receiver = new MessageReceiver(operations, staging, sender, queues, diagnosis, peers);
        waits = new WaitReporter(team, diagnosis);
        closed = new ClosedPeers(team, diagnosis);
        worker = new MessageWorker(team, closed, diagnosis, peers, sender, receiver);
    }

    /** Returns the operations of this rank. */
    OperationTable operations()
    {
        return operations;
    }

    /** Begins a send or a receive; it may be done at once. */
    void post(final MessageOperation operation)
    {
        operations.begin(operation);
        try
        {
            require(operation.peer());
            if (operation.isSend)
            {
                sender.send(peers.get(operation.peer()), operation);
            }
            else
            {
                receiver.receive(operation);
            }
            if (!operation.isDone())
            {
                peers.requireOpen(operation);
            }
        }
        catch (final RuntimeException | Error e)
        {
            operations.await(operation);
            if (operation.id < 0)
            {
                operations.add(operation);
            }
            throw e;
        }
    }

    /** Connects to a rank, or for {@link PointToPoint#ANY_SOURCE} to all, unless a call has done so before. */
    private void require(final int rank)
    {
        if (rank != PointToPoint.ANY_SOURCE)
        {
            if (peers.get(rank) == null)
            {
                connect(rank);
            }
        }
        else if (!isConnectedToAll)
        {
            for (int peer = 0; peer < team.size(); peer++)
            {
                if (peer != team.rank())
                {
                    require(peer);
                }
            }
            isConnectedToAll = true;
        }
    }

    private void connect(final int rank)
    {
        try
        {
            wireup.require(new int[] {rank});
        }
        catch (final BootstrapException e)
        {
            diagnosis.throwIfFailed(sequence());
            throw e;
        }
        peers.add(new MessagePeer(team, team.connections()[rank], chain, resources));
        isConnecting = true;
        worker.connecting(true);
    }

    /** Withdraws an operation that has sent nothing and matched nothing; returns false otherwise. */
    boolean cancel(final MessageOperation operation)
    {
        final boolean isRemoved = operation.stage == Stage.POSTED ? queues.withdraw(operation) :
            operation.stage == Stage.SEND_QUEUED && peers.get(operation.peer()).queue.remove(operation);
        if (isRemoved)
        {
            operations.remove(operation);
        }
        return isRemoved;
    }

    /** Fails all operations, which access their memory no longer. */
    void failAll(final RuntimeException cause)
    {
        queues.clearPosted();
        operations.failAll(cause);
        sender.clear();
    }

    /** Begins a probe. */
    void beginProbe(final MessageOperation probe)
    {
        operations.begin(probe);
        operations.add(probe);
        require(probe.peer());
    }

    /**
     * Looks for a message that a receive would match, and ends the probe if there is one.
     *
     * @param ends   whether the probe ends in any case.
     * @param status set to the message's, unless null.
     * @return whether there is such a message.
     */
    boolean probe(final MessageOperation probe, final boolean ends, final MessageStatus status)
    {
        final IncomingMessage found = queues.find(probe.source(), probe.tag());
        if (found != null && status != null)
        {
            status.set(found.source(), found.tag(), found.length / found.elementSize,
                MessageHeader.type(found.typeHash, found.elementSize));
        }
        if (found != null || ends)
        {
            operations.finish(probe);
        }
        else
        {
            peers.requireOpen(probe);
        }
        return found != null;
    }

    // --- Closing. ---

    /** Announces to all connected peers that this rank makes no more calls. */
    void announceClose()
    {
        worker.closing();
        worker.pollAll(0, 0, 0);
        closed.announce(0, 0);
        worker.pollAll(0, 0, 0);
    }

    /** Checks, when all ranks have made their last call, that each message has been received. */
    void checkClosed()
    {
        worker.pollAll(0, 0, 0);
        final IncomingMessage lost = queues.firstUnexpected(PointToPoint.ANY_SOURCE);
        if (lost != null)
        {
            throw diagnosis.notReceived(lost);
        }
    }

    /** Frees the engine's memory. */
    void free()
    {
        staging.close();
        receiver.free();
        resources.close(new ArrayList<>());
    }

    // --- Progress. ---

    @Override
    public int progress(final int polls)
    {
        int work = 0;
        for (int poll = 0;; poll++)
        {
            if (isConnecting)
            {
                connectAll();
            }
            // First, because nothing may be sent to a peer that has closed.
            work += worker.poll(0, 0, 0);
            work += sender.isBusy() ? sender.advance() : 0;
            chain.flush();
            if (!operations.hasAwaited() || poll == polls)
            {
                return work;
            }
        }
    }

    private void connectAll()
    {
        try
        {
            isConnecting = !wireup.advance();
            worker.connecting(isConnecting);
        }
        catch (final BootstrapException e)
        {
            diagnosis.throwIfFailed(sequence());
            throw e;
        }
    }

    /** Sends what has been begun without polling. */
    void flush()
    {
        chain.flush();
    }

    @Override
    public boolean isDone()
    {
        return operations.isEmpty();
    }

    @Override
    public long sequence()
    {
        return operations.sequence();
    }

    @Override
    public int waitedPeer()
    {
        final MessageOperation current = operations.current();
        return current == null ? -1 :
            current.isSend || current.isUnmatched() ? current.peer() : current.matchedSource;
    }

    @Override
    public boolean isSendQueueFull()
    {
        return sender.isBusy();
    }

    @Override
    public boolean isConnecting()
    {
        return isConnecting;
    }

    @Override
    public int disagreeingPeer()
    {
        return -1;
    }

    @Override
    public void detectDesync()
    {
        final int peer = waitedPeer();
        waits.report(sequence(), peer);
        final MessageOperation current = operations.current();
        if (current != null && !isFound(current) && (peer >= 0 ? hasLeft(peer) : isAlone()))
        {
            throw diagnosis.closed(current, peer);
        }
    }

    /** Whether a message has arrived that a probe looks for; its thread has yet to see it. */
    private boolean isFound(final MessageOperation operation)
    {
        return operation.isProbe() && queues.find(operation.source(), operation.tag()) != null;
    }

    /**
     * Whether a peer has closed the communicator without telling this rank, because no call of the peer's own had
     * connected it, or its send queue was full.
     */
    private boolean hasLeft(final int peer)
    {
        final Connection connection = team.connections()[peer];
        if (connection == null || !team.board().hasClosed(peer))
        {
            return false;
        }
        final MessagePeer left = peers.get(peer);
        final long nowNs = System.nanoTime();
        left.leftNs = left.leftNs == 0 ? nowNs : left.leftNs;
        return !connection.isJoined() || nowNs - left.leftNs > LAST_MESSAGES_NS;
    }

    /** Whether all other ranks have closed the communicator. */
    private boolean isAlone()
    {
        boolean isAlone = true;
        for (int peer = 0; peer < team.size(); peer++)
        {
            // Asks for all of them, as the answers arrive later.
            isAlone &= peer == team.rank() || peers.hasClosed(peer) || hasLeft(peer);
        }
        return isAlone;
    }

    @Override
    public Diagnosis diagnosis()
    {
        return diagnosis;
    }

    @Override
    public void fallAsleep()
    {
        worker.fallAsleep();
    }
}
