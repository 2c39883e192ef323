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
import org.tutti.collectives.wireup.RankTranslation;
import org.tutti.collectives.wireup.Team;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Says what went wrong, in people's words. It reads peers' control blocks by RDMA to tell what they are doing, which
 * costs nothing while all is well. The communicator is lost anyway when it is asked, so it may disturb queues.
 */
public final class Diagnosis
{
    /** A transport error is often the first sign that a rank died; the launcher's word on it comes a little later. */
    private static final long NOTICE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Team team;
    private final RankTranslation ranks;
    private final PeerControlBlocks peers;
    private final TransportErrors transport;

    /**
     * For one rank.
     *
     * @param team team of the rank.
     */
    public Diagnosis(final Team team)
    {
        this.team = team;
        ranks = team.ranks();
        peers = new PeerControlBlocks(team);
        transport = new TransportErrors(team, this);
    }

    /** Says what went wrong in the transport. */
    public TransportErrors transport()
    {
        return transport;
    }

    /** Throws when the job was told of a failed rank. */
    public void throwIfFailed(final long sequence)
    {
        final RankFailure failure = team.bootstrap().failure();
        if (failure != null)
        {
            throw failed(sequence, failure);
        }
    }

    /** A rank has failed. */
    RankFailedException failed(final long sequence, final RankFailure failure)
    {
        return new RankFailedException(ranks.member(failure.rank()), where(sequence) + " failed: " + failure);
    }

    /**
     * What a peer sent does not belong to this rank's call. It may come of an earlier call, in which it could not be
     * seen: the first of the last calls in which the two differ is to blame.
     */
    public CollectiveException mismatch(final long sequence, final int peer)
    {
        final ControlBlock theirs = peers.read(peer, peer + 1)[peer];
        final ControlBlock ours = team.control();
        if (theirs == null)
        {
            // It failed, or closed and is gone: then the reason is on its way.
            final RankFailure failure = awaitNotice();
            return failure != null ? failed(sequence, failure) : error(peer, where(sequence) +
                " failed: " + ranks.name(peer) + " sent something for another call, and does not say what it calls: " +
                ranks.rule());
        }
        final long last = Math.min(theirs.entered(), ours.entered());
        for (long call = Math.max(0, last - ControlBlock.CALLS + 1); call <= last; call++)
        {
            if (isDifferent(call, theirs))
            {
                return difference(call, peer, theirs);
            }
        }
        // If it has found out that the two have other counts for each other, it is about to say so.
        final RankFailure failure = mayHaveOtherCounts(theirs) ? awaitNotice() : null;
        return failure != null ? failed(sequence, failure) :
            error(peer, "ranks disagree: " + ranks.name(peer) + ": " + doing(peer, theirs) + ", " +
            ranks.name(team.rank()) + ": " + doing(team.rank(), ours) + ": " + ranks.rule());
    }

    /** Whether a peer is in a call, which this rank may have left, of which the two know blocks that no other knows. */
    private boolean mayHaveOtherCounts(final ControlBlock theirs)
    {
        final CallDescription call = team.control().call(theirs.entered());
        return theirs.closed() < 0 && call != null && call.collective() != null && call.collective().hasOwnBlocks();
    }

    /**
     * What a peer that there is no connection with has published, once it waits for long or has closed.
     *
     * @return null unless it is in another call than this rank, or makes none any more.
     */
    CollectiveException publishedDisagreement(final long sequence, final int peer)
    {
        final ControlBlock latest = team.board().latest(peer);
        if (latest != null || !ranks.isLeft(peer))
        {
            return latest == null ? null : disagreement(sequence, peer, latest);
        }
        // What it published last, it published before it left.
        final ControlBlock[] blocks = new ControlBlock[team.size()];
        team.board().read(new int[] {peer}, blocks, LateRanks.READ_TIMEOUT_NS);
        return blocks[peer] == null ? closedBefore(sequence, peer) : disagreement(sequence, peer, blocks[peer]);
    }

    /**
     * Asks a peer that keeps this rank waiting what it calls. The answer comes into {@link #disagreementOf} when the
     * engine has seen the completion of the connection's last request.
     *
     * @return false if it cannot be asked now.
     */
    boolean ask(final int peer)
    {
        return peers.ask(peer);
    }

    /**
     * What a peer has answered.
     *
     * @return null unless it is in another call than this rank, where the two have the same number, or has closed.
     */
    CollectiveException disagreementOf(final long sequence, final int peer)
    {
        return disagreement(sequence, peer, team.connections()[peer].byQueuePair().controlCopy());
    }

    /** What a peer's control block says against this rank's call, or null. */
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
        final CallDescription ours = team.control().call(sequence);
        return theirs != null && ours != null && !theirs.equals(ours);
    }

    private CollectiveException difference(final long sequence, final int peer, final ControlBlock block)
    {
        final CallDescription theirs = block.call(sequence);
        final CallDescription ours = team.control().call(sequence);
        final String detail = theirs.toString().equals(ours.toString()) && ours.collective() != null ?
            "both called " + ours + (ours.collective().hasCounts() ? ", but with other counts of single ranks: pass " +
                "the same; or they chose" : ", but chose") +
                " different algorithms: set TUTTI_ALGORITHM and TUTTI_TUNING alike on all ranks" :
            ranks.name(peer) + " called " + ranks.describe(peer, theirs) + ", " + ranks.name(team.rank()) + " called " +
                ranks.describe(team.rank(), ours) + ": " +
                ranks.rule();
        return error(peer, "ranks disagree in call #" + sequence + ": " + detail);
    }

    /** A peer does not expect what this rank has for it. */
    public CollectiveException otherLength(final long sequence, final int peer, final long length, final long expected)
    {
        return otherLength(
            sequence, peer, " has " + length + " bytes for " + ranks.name(peer) + ", which expects " + expected);
    }

    /** A peer has something else for this rank than it expects. */
    public CollectiveException otherBlock(final long sequence, final int peer, final long length, final long expected)
    {
        return otherLength(
            sequence, peer, " expects " + expected + " bytes of " + ranks.name(peer) + ", which has " + length);
    }

    private CollectiveException otherLength(final long sequence, final int peer, final String detail)
    {
        return error(peer, "ranks disagree in call #" + sequence + ": " + where(sequence) + detail +
            ": what a rank sends must be as long as what the other receives");
    }

    /** Memory of a peer cannot be mapped here: a peer that is gone has none. */
    public CollectiveException outOfReach(final long sequence, final int peer)
    {
        final RankFailure failure = awaitNotice();
        if (failure != null)
        {
            return failed(sequence, failure);
        }
        return error(team.rank(), where(sequence) + " failed: the memory of " + ranks.name(peer) +
            " cannot be mapped here: " +
            "set TUTTI_DIRECT=0 on all ranks, or see why (ulimit -v, vm.max_map_count)");
    }

    /** A peer gave up a call while this rank read its INPUT. */
    public CollectiveException gaveUp(final long sequence, final int peer)
    {
        final RankFailure failure = awaitNotice();
        return failure != null ? failed(sequence, failure) :
            error(peer, where(sequence) + " failed: " + ranks.name(peer) + " has given up this call or one before");
    }

    /** A peer closed its communicator, and this rank made more calls. */
    CollectiveException closedEarly(final long sequence, final int peer, final long calls)
    {
        return error(peer, where(sequence) + " failed: " + ranks.name(peer) +
            " closed its communicator " + (calls == 0 ? "before its first call" : "after call #" + (calls - 1)) +
            ": " + ranks.rule());
    }

    private CollectiveException closedBefore(final long sequence, final int peer)
    {
        return error(peer, where(sequence) + " failed: " + ranks.name(peer) +
            " closed its communicator, and has not made the call: " + ranks.rule());
    }

    /** This rank's communicator is closed while a call waits. */
    public CollectiveException closing(final long sequence, final int peer, final String thread)
    {
        return error(peer, where(sequence) + " failed: thread " + thread +
            " closed the communicator while it waited" + (peer < 0 ? "" : " for " + ranks.name(peer)));
    }

    /** The calling thread was interrupted while it waited for a rank, or, if that is -1, for none in particular. */
    public CollectiveException interrupted(final long sequence, final int peer)
    {
        return interrupted(where(sequence), peer < 0 ? "it waited" : "it waited for " + ranks.name(peer));
    }

    /**
     * The calling thread was interrupted while another one had the communicator. For any thread: the other may close
     * it, after which there is no control block to read.
     *
     * @param what was to be done: a call, or the wait for a request.
     */
    public CollectiveException interrupted(final String what)
    {
        return interrupted(ranks.name(team.rank()) + ": " + what, "it waited for another thread");
    }

    /** The calling thread was interrupted while it closed the communicator. */
    public CollectiveException closeInterrupted()
    {
        final String running = team.operator().text();
        return interrupted(
            ranks.name(team.rank()) + ": close", running == null ? "it waited for other ranks" : running);
    }

    private CollectiveException interrupted(final String where, final String waited)
    {
        return new CollectiveInterruptedException(ranks.callersRank(team.rank()), where + " failed: thread " +
            Thread.currentThread().getName() + " was interrupted while " + waited);
    }

    /**
     * The deadline passed while another thread had the communicator. Unlike {@link #timeout}, for any thread. This
     * rank is late if an operator runs; else none is known to be.
     *
     * @param what    timed out: a call, the wait for a request, or close.
     * @param caller  name of the thread that has the communicator.
     * @param outlook what follows from that.
     */
    public CollectiveException occupied(
        final String what, final long timeoutNs, final String caller, final String outlook)
    {
        final String running = team.operator().text();
        return new CollectiveTimeoutException(running == null ? -1 : ranks.callersRank(team.rank()),
            ranks.name(team.rank()) + ": " + what +
            String.format(Locale.ROOT, " timed out after %.1f s: ", timeoutNs / 1e9) +
            (running == null ? "thread " + caller + " is in a call of the communicator" : running) + outlook);
    }

    /** The deadline passed. */
    public CollectiveException timeout(final long sequence, final int peer, final long timeoutNs)
    {
        final String problem = team.bootstrap().coordinatorProblem();
        // A call that waits for the coordinator knows of no rank that is late.
        return problem != null && !peers.isJoined(peer) ? coordinatorTimeout(sequence, timeoutNs, problem) :
            lateRanks(sequence).timeout(timedOut(sequence, timeoutNs), peer);
    }

    /**
     * The deadline passed of a call for which ranks meet in the bootstrap.
     *
     * @param detail missing ranks, as the bootstrap reports them.
     */
    public CollectiveException gatheringTimeout(final long sequence, final long timeoutNs, final String detail)
    {
        final String problem = team.bootstrap().coordinatorProblem();
        return problem != null ? coordinatorTimeout(sequence, timeoutNs, problem) :
            lateRanks(sequence).timeout(timedOut(sequence, timeoutNs) + " (" + detail + ")", -1);
    }

    private CollectiveException coordinatorTimeout(final long sequence, final long timeoutNs, final String problem)
    {
        return new CollectiveTimeoutException(-1, timedOut(sequence, timeoutNs) + ": " + problem);
    }

    private String timedOut(final long sequence, final long timeoutNs)
    {
        return where(sequence) + String.format(Locale.ROOT, " timed out after %.1f s", timeoutNs / 1e9);
    }

    /** Looks which ranks keep this one waiting. */
    private LateRanks lateRanks(final long sequence)
    {
        final ControlBlock[] blocks = peers.read(0, team.size());
        readPublished(blocks);
        blocks[team.rank()] = team.control();
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
                late.add(rank, " has not made the call: " + doing(rank, block));
            }
        }
        late.lookAtProcesses();
        return late;
    }

    private void readPublished(final ControlBlock[] blocks)
    {
        team.board().read(IntStream.range(0, blocks.length).filter(peer -> peer != team.rank() && !peers.isJoined(peer))
            .toArray(), blocks, LateRanks.READ_TIMEOUT_NS);
    }

    /** What the job is told of a failed rank, now or soon; null if nothing. */
    public RankFailure awaitNotice()
    {
        final long deadlineNs = System.nanoTime() + NOTICE_TIMEOUT_NS;
        while (team.bootstrap().failure() == null && System.nanoTime() - deadlineNs < 0)
        {
            Backoff.sleep(PAUSE_NS);
        }
        return team.bootstrap().failure();
    }

    /** An error that a peer, or -1, is to blame for. */
    CollectiveException error(final int peer, final String message)
    {
        return new CollectiveException(ranks.callersRank(peer), message, null);
    }

    /** This rank and its call. */
    public String where(final long sequence)
    {
        final CallDescription call = ownCall(sequence);
        final int rank = team.rank();
        return ranks.name(rank) + ": " + (call == null ? "call" : ranks.describe(rank, call)) + " #" + sequence;
    }

    private CallDescription ownCall(final long sequence)
    {
        try
        {
            return team.control().call(sequence);
        }
        catch (final InternalError gone)
        {
            // What is to be told is that memory is gone.
            return null;
        }
    }

    private String doing(final int rank, final ControlBlock block)
    {
        final long entered = block.entered();
        if (entered < 0)
        {
            return "it has made none";
        }
        final CallDescription call = block.call(entered);
        return (block.finished() < entered ? "it is still in " : "its last was ") +
            (call == null ? "call" : ranks.describe(rank, call)) + " #" + entered;
    }
}
