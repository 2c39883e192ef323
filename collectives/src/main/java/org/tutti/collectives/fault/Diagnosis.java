/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.CommunicatorRanks;
import org.tutti.collectives.wireup.Team;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Determines the cause of a failure and creates the exception for it. Reads peers' control blocks by RDMA to find out
 * which calls they are in, at no cost on the normal path. May take other completions from the queues, because the
 * communicator has failed anyway.
 */
public class Diagnosis
{
    /** The rule that is violated when ranks disagree. */
    public static final String RULE = "all ranks must make the same calls in the same order";

    /**
     * Time to wait for the launcher's notice of a failed rank: a transport error is often the first sign, and the
     * notice follows.
     */
    private static final long NOTICE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Team team;
    private final CommunicatorRanks ranks;
    private final PeerControlBlocks peers;
    private final TransportErrors transport;

    /**
     * Creates the diagnosis of one rank.
     *
     * @param team team of the rank.
     */
    @SuppressWarnings("this-escape") // Only kept for later.
    public Diagnosis(final Team team)
    {
        this.team = team;
        ranks = team.ranks();
        peers = new PeerControlBlocks(team);
        transport = new TransportErrors(team, this);
    }

    /** Returns the diagnosis of transport errors. */
    public TransportErrors transport()
    {
        return transport;
    }

    /** Throws if this rank has been notified of a failed rank. */
    public void throwIfFailed(final long sequence)
    {
        final RankFailure failure = team.bootstrap().failure();
        if (failure != null)
        {
            throw failed(sequence, failure);
        }
    }

    /** Returns the exception for a failed rank. */
    RankFailedException failed(final long sequence, final RankFailure failure)
    {
        return new RankFailedException(ranks.member(failure.rank()), where(sequence) + " failed: " + failure);
    }

    /**
     * Returns the exception for data that a peer sent for another call than this rank's. The exception reports the
     * first of the recent calls in which the two ranks differ, because the mismatch may stem from an earlier call that
     * could not detect it.
     */
    public CollectiveException mismatch(final long sequence, final int peer)
    {
        final ControlBlock theirs = peers.read(peer, peer + 1)[peer];
        final ControlBlock ours = team.memory().control();
        if (theirs == null)
        {
            // The peer failed, or closed and exited: a notice with the reason may follow.
            final RankFailure failure = awaitFailureNotice();
            return failure != null ? failed(sequence, failure) : error(peer, where(sequence) +
                " failed: " + ranks.name(peer) + " sent data for another call, and its current call is unknown: " +
                RULE);
        }
        final long last = Math.min(theirs.entered(), ours.entered());
        for (long call = Math.max(0, last - ControlBlock.CALLS + 1); call <= last; call++)
        {
            if (isDifferent(call, theirs))
            {
                return difference(call, peer, theirs);
            }
        }
        // A peer that has detected differing counts is about to report them.
        final RankFailure failure = mayHaveOtherCounts(theirs) ? awaitFailureNotice() : null;
        return failure != null ? failed(sequence, failure) :
            error(peer, "ranks disagree: " + ranks.name(peer) + ": " + doing(theirs) + ", " +
            ranks.name(team.rank()) + ": " + doing(ours) + ": " + RULE);
    }

    /** Whether a peer is in a call with counts that only the two ranks know; this rank may have left that call. */
    private boolean mayHaveOtherCounts(final ControlBlock theirs)
    {
        final CallDescription call = team.memory().control().call(theirs.entered());
        return theirs.closed() < 0 && call != null && call.collective() != null && call.collective().hasLocalCounts();
    }

    /**
     * Compares this rank's call with the record that an unconnected peer published after a long wait or when it closed.
     *
     * @return null unless the peer is in another call than this rank, or has closed.
     */
    CollectiveException publishedDisagreement(final long sequence, final int peer)
    {
        final ControlBlock latest = team.board().latest(peer);
        return latest == null ? null : disagreement(sequence, peer, latest);
    }

    /**
     * Starts to read the control block of an awaited peer. {@link #disagreementOf} returns the result once the engine
     * has seen the completion of the connection's last request.
     *
     * @return false if the control block cannot be read now.
     */
    boolean ask(final int peer)
    {
        return peers.ask(peer);
    }

    /**
     * Evaluates the control block read by {@link #ask}.
     *
     * @return null unless the peer made another call under the same sequence number, or has closed.
     */
    CollectiveException disagreementOf(final long sequence, final int peer)
    {
        return disagreement(sequence, peer, team.connections()[peer].byQueuePair().controlCopy());
    }

    /** Compares a peer's control block with this rank's call; null if they agree. */
    private CollectiveException disagreement(final long sequence, final int peer, final ControlBlock theirs)
    {
        if (isDifferent(sequence, theirs))
        {
            return difference(sequence, peer, theirs);
        }
        final long closed = theirs.closed();
        return closed >= 0 && closed <= sequence ? closedEarly(sequence, peer, closed) : null;
    }

    private boolean isDifferent(final long sequence, final ControlBlock block)
    {
        final CallDescription theirs = block.call(sequence);
        final CallDescription ours = team.memory().control().call(sequence);
        return theirs != null && ours != null && !theirs.equals(ours);
    }

    private CollectiveException difference(final long sequence, final int peer, final ControlBlock block)
    {
        final CallDescription theirs = block.call(sequence);
        final CallDescription ours = team.memory().control().call(sequence);
        final boolean isSame = theirs.toString().equals(ours.toString()) && ours.collective() != null;
        final String detail = isSame && theirs.isAgreement() != ours.isAgreement() ?
            "both called " + ours + ", but one of them in a request or a group: for buffers of more than 1 MiB, " +
                "make a blocking call on all ranks or on none" :
            isSame ? "both called " + ours + (ours.collective().hasGlobalCounts() ?
                ", but with different counts per rank: pass the same counts; or they chose" : ", but chose") +
                " different algorithms: set TUTTI_ALGORITHM, TUTTI_TUNING and TUTTI_MODEL to the same values on all " +
                "ranks" :
            ranks.name(peer) + " called " + theirs + ", " + ranks.name(team.rank()) + " called " + ours + ": " + RULE;
        return error(peer, "ranks disagree in call #" + sequence + ": " + detail);
    }

    /** Returns the exception for a block that this rank sends and whose length the peer does not expect. */
    public CollectiveException otherLength(final long sequence, final int peer, final long length, final long expected)
    {
        return otherLength(
            sequence, peer, " has " + length + " bytes for " + ranks.name(peer) + ", which expects " + expected);
    }

    /** Returns the exception for a block that a peer sends and whose length this rank does not expect. */
    public CollectiveException otherBlock(final long sequence, final int peer, final long length, final long expected)
    {
        return otherLength(
            sequence, peer, " expects " + expected + " bytes of " + ranks.name(peer) + ", which has " + length);
    }

    private CollectiveException otherLength(final long sequence, final int peer, final String detail)
    {
        return error(peer, "ranks disagree in call #" + sequence + ": " + where(sequence) + detail +
            ": send and receive lengths must be equal");
    }

    /** Returns the exception for a peer's memory that cannot be mapped; the peer may have exited. */
    public CollectiveException unmappable(final long sequence, final int peer)
    {
        final RankFailure failure = awaitFailureNotice();
        if (failure != null)
        {
            return failed(sequence, failure);
        }
        return error(team.rank(), where(sequence) + " failed: the memory of " + ranks.name(peer) +
            " cannot be mapped here: " +
            "set TUTTI_DIRECT=0 on all ranks, or check ulimit -v and vm.max_map_count");
    }

    /** Returns the exception for a peer that aborted a call while this rank read the peer's INPUT. */
    public CollectiveException gaveUp(final long sequence, final int peer)
    {
        final RankFailure failure = awaitFailureNotice();
        return failure != null ? failed(sequence, failure) :
            error(peer, where(sequence) + " failed: " + ranks.name(peer) + " has aborted this call or an earlier one");
    }

    /** Returns the exception for a peer that closed its communicator before this rank's call; it may have failed. */
    CollectiveException closedEarly(final long sequence, final int peer, final long calls)
    {
        final RankFailure failure = team.bootstrap().failure();
        if (failure != null)
        {
            return failed(sequence, failure);
        }
        return error(peer, where(sequence) + " failed: " + ranks.name(peer) +
            " closed its communicator " + (calls == 0 ? "before its first call" : "after call #" + (calls - 1)) +
            ": " + RULE);
    }

    /** Returns the exception for a call that was waiting when another thread closed its communicator. */
    public CollectiveException closing(final long sequence, final int peer, final String thread)
    {
        return error(peer, where(sequence) + " failed: thread " + thread +
            " closed the communicator while it waited" + (peer < 0 ? "" : " for " + ranks.name(peer)));
    }

    /**
     * Returns the exception for an interrupt of the calling thread while it waited for a peer; {@code peer} is -1 if it
     * waited for no peer in particular.
     */
    public CollectiveException interrupted(final long sequence, final int peer)
    {
        return interrupted(where(sequence), peer < 0 ? "it waited" : "it waited for " + ranks.name(peer));
    }

    /**
     * Returns the exception for an interrupt of the calling thread while another thread held the communicator. Callable
     * from any thread: the other thread may close the communicator, so the control block is not read.
     *
     * @param what interrupted operation: a call, or the wait for a request.
     */
    public CollectiveException interrupted(final String what)
    {
        return interrupted(ranks.name(team.rank()) + ": " + what, "it waited for another thread");
    }

    /** Returns the exception for a thread that was interrupted while it closed the communicator. */
    public CollectiveException closeInterrupted()
    {
        final String running = team.operator().text();
        return interrupted(
            ranks.name(team.rank()) + ": close", running == null ? "it waited for other ranks" : running);
    }

    private CollectiveException interrupted(final String where, final String waited)
    {
        return new CollectiveInterruptedException(team.rank(), where + " failed: thread " +
            Thread.currentThread().getName() + " was interrupted while " + waited);
    }

    /**
     * Returns the exception for a deadline that passed while another thread held the communicator. Callable from any
     * thread, unlike {@link #timeout}. Names this rank as late if it is in a user-defined operator, else no rank.
     *
     * @param what      operation that timed out: a call, the wait for a request, or close.
     * @param timeoutNs timeout in nanoseconds.
     * @param caller    name of the thread that holds the communicator.
     * @param outlook   consequence, appended to the message.
     */
    public CollectiveException occupied(
        final String what, final long timeoutNs, final String caller, final String outlook)
    {
        final String running = team.operator().text();
        return new CollectiveTimeoutException(running == null ? -1 : team.rank(),
            ranks.name(team.rank()) + ": " + what +
            String.format(Locale.ROOT, " timed out after %.1f s: ", timeoutNs / 1e9) +
            (running == null ? "thread " + caller + " is in a call of the communicator" : running) + outlook);
    }

    /** Returns the exception for a deadline that passed. */
    public CollectiveException timeout(final long sequence, final int peer, final long timeoutNs)
    {
        final String problem = team.bootstrap().coordinatorProblem();
        // A call that waits for the coordinator cannot identify a late rank.
        return problem != null && !peers.isJoined(peer) ? coordinatorTimeout(sequence, timeoutNs, problem) :
            lateRanks(sequence).timeout(timedOut(sequence, timeoutNs), peer);
    }

    /**
     * Returns the exception for a deadline that passed while ranks exchanged data through the bootstrap.
     *
     * @param sequence  sequence number of the call.
     * @param timeoutNs timeout in nanoseconds.
     * @param detail    missing ranks, as reported by the bootstrap.
     */
    public CollectiveException gatheringTimeout(final long sequence, final long timeoutNs, final String detail)
    {
        final String problem = team.bootstrap().coordinatorProblem();
        return problem != null ? coordinatorTimeout(sequence, timeoutNs, problem) :
            lateRanks(sequence).timeout(timedOut(sequence, timeoutNs) + " (" + detail + ")", -1);
    }

    /** Returns the exception for a deadline that passed while the coordinator did not answer. */
    protected final CollectiveException coordinatorTimeout(
        final long sequence, final long timeoutNs, final String problem)
    {
        return new CollectiveTimeoutException(-1, timedOut(sequence, timeoutNs) + ": " + problem);
    }

    /** Returns the beginning of the message for a deadline that passed. */
    protected final String timedOut(final long sequence, final long timeoutNs)
    {
        return where(sequence) + String.format(Locale.ROOT, " timed out after %.1f s", timeoutNs / 1e9);
    }

    /** Determines which ranks are late for a call. */
    private LateRanks lateRanks(final long sequence)
    {
        final ControlBlock[] blocks = peers.read(0, team.size());
        readPublished(blocks);
        blocks[team.rank()] = team.memory().control();
        final LateRanks late = new LateRanks(team);
        for (int rank = 0; rank < team.size(); rank++)
        {
            final ControlBlock block = blocks[rank];
            if (block == null)
            {
                late.addSilent(rank, peers.isJoined(rank));
            }
            else if (isDifferent(sequence, block))
            {
                late.disagreement(disagreement(sequence, rank, block));
            }
            else if (block.entered() < sequence)
            {
                late.add(rank, " has not made the call: " + doing(block));
            }
        }
        late.readProcessStates();
        return late;
    }

    private void readPublished(final ControlBlock[] blocks)
    {
        team.board().read(IntStream.range(0, blocks.length).filter(peer -> peer != team.rank() && !peers.isJoined(peer))
            .toArray(), blocks, LateRanks.READ_TIMEOUT_NS);
    }

    /** Waits briefly for a notice of a failed rank; null if none arrives. */
    public RankFailure awaitFailureNotice()
    {
        final long deadlineNs = System.nanoTime() + NOTICE_TIMEOUT_NS;
        while (team.bootstrap().failure() == null && System.nanoTime() - deadlineNs < 0)
        {
            Backoff.sleep(PAUSE_NS);
        }
        return team.bootstrap().failure();
    }

    /** Returns an exception caused by a peer, or by none (-1). */
    protected final CollectiveException error(final int peer, final String message)
    {
        return new CollectiveException(peer, message, null);
    }

    /** Describes this rank and its call. */
    public String where(final long sequence)
    {
        final CallDescription call = ownCall(sequence);
        final int rank = team.rank();
        return ranks.name(rank) + ": " + (call == null ? "call" : call) + " #" + sequence;
    }

    private CallDescription ownCall(final long sequence)
    {
        try
        {
            return team.memory().control().call(sequence);
        }
        catch (final InternalError gone)
        {
            // The error that the caller reports already says that memory is gone.
            return null;
        }
    }

    private String doing(final ControlBlock block)
    {
        final long entered = block.entered();
        if (entered < 0)
        {
            return "it has made no call";
        }
        // Describes the oldest of several calls in progress.
        final long current = Math.min(entered, block.finished() + 1);
        final CallDescription call = block.call(current);
        return (block.finished() < entered ? "it is still in " : "its last call was ") +
            (call == null ? "call" : call) + " #" + current;
    }
}
