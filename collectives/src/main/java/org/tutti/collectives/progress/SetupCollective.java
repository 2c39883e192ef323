/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Collective calls that create or close an object on all ranks of a communicator: the ranks exchange contributions
 * through the bootstrap. Such a call is ordered and numbered as any other, and a rank that makes a different call
 * instead is detected as in a collective.
 */
public final class SetupCollective
{
    /**
     * A rank's part of a call that creates or closes an object.
     *
     * @param <T> type of the result.
     */
    public interface Making<T>
    {
        /** Returns the bytes that this rank contributes; may block for a limited time. */
        byte[] contribution();

        /**
         * Creates the result.
         *
         * @param contributions contributions of all ranks, by rank.
         * @param leftNs        time left until the call's deadline in nanoseconds.
         */
        T make(List<byte[]> contributions, long leftNs);
    }

    /**
     * A rank's message: the call that it makes, and its contribution.
     *
     * @param sequence     sequence number of the call.
     * @param call         call.
     * @param contribution bytes that the rank contributes.
     */
    @SuppressWarnings("ArrayRecordComponent") // A message, never compared.
    private record Announcement(long sequence, CallDescription call, byte[] contribution)
    {
        private static final int FIXED_LENGTH = 2 * Long.BYTES + 3 * Integer.BYTES;

        static Announcement decode(final byte[] bytes)
        {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes);
            final long sequence = buffer.getLong();
            final long count = buffer.getLong();
            final int kind = buffer.getInt();
            final int hash = buffer.getInt();
            final byte[] type = new byte[buffer.getInt()];
            buffer.get(type);
            final byte[] contribution = new byte[buffer.remaining()];
            buffer.get(contribution);
            return new Announcement(sequence,
                new CallDescription(null, new String(type, StandardCharsets.UTF_8), "", count, kind, hash),
                contribution);
        }

        byte[] encode()
        {
            final byte[] type = call.type().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(FIXED_LENGTH + type.length + contribution.length)
                .putLong(sequence).putLong(call.count()).putInt(call.root()).putInt(call.algorithm())
                .putInt(type.length).put(type).put(contribution).array();
        }

        boolean agrees(final Announcement other)
        {
            return sequence == other.sequence && call.equals(other.call);
        }

        String text()
        {
            return call + " #" + sequence;
        }
    }

    /** A thread that waits in the bootstrap, where only an interrupt reaches it. Thread-safe. */
    private static final class Gathering
    {
        private Thread thread;
        /** Whether the interrupt is that of {@link #interrupt} rather than the user's. */
        private boolean interrupted;

        /** Records that the calling thread begins to wait. */
        synchronized void begin()
        {
            thread = Thread.currentThread();
        }

        /** Records that the calling thread has stopped waiting. */
        synchronized void end()
        {
            thread = null;
            if (interrupted)
            {
                // The interrupt was meant for the call that has ended.
                Thread.interrupted();
            }
        }

        /** Ends the wait, if there is one. */
        synchronized void interrupt()
        {
            if (thread != null)
            {
                interrupted |= !thread.isInterrupted();
                thread.interrupt();
            }
        }
    }

    private final Session session;
    private final Team team;
    private final Gathering gathering = new Gathering();
    private long setups;

    SetupCollective(final Session session)
    {
        this.session = session;
        team = session.team();
    }

    /**
     * Makes a setup call. If it fails, so does the communicator.
     *
     * @param call      call that all ranks make.
     * @param making    this rank's part of the call.
     * @param timeoutNs timeout of the call in nanoseconds.
     * @param <T>       type of the result.
     * @return the result.
     */
    public <T> T hold(final CallDescription call, final Making<T> making, final long timeoutNs)
    {
        session.enterAfterRequests(timeoutNs);
        try
        {
            session.messages().progressInBackground();
            gathering.begin();
            return runEntered(call, making, timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
        finally
        {
            gathering.end();
            session.messages().endProgressInBackground();
            session.leave();
        }
    }

    /** Ends the wait of a thread in {@link #hold}, if there is one. Callable from any thread. */
    void interrupt()
    {
        gathering.interrupt();
    }

    private <T> T runEntered(final CallDescription call, final Making<T> making, final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final ScheduleExecutor engine = session.engine();
        engine.enter(call);
        try
        {
            // Peers that wait for this rank in a different call read this record.
            team.board().publish();
            final Announcement own = new Announcement(engine.sequence(), call, making.contribution());
            final List<byte[]> contributions = new ArrayList<>();
            final List<Announcement> announcements = team.bootstrap().allgather("create/" + setups++, own.encode(),
                Math.max(0, deadlineNs - System.nanoTime())).stream().map(Announcement::decode).toList();
            for (int rank = 0; rank < announcements.size(); rank++)
            {
                requireSame(own, rank, announcements.get(rank));
                contributions.add(announcements.get(rank).contribution);
            }
            engine.finish();
            return making.make(contributions, Math.max(0, deadlineNs - System.nanoTime()));
        }
        catch (final BootstrapTimeoutException e)
        {
            throw session.diagnosis().gatheringTimeout(engine.sequence(), timeoutNs, e.getMessage());
        }
        catch (final BootstrapInterruptedException e)
        {
            session.waiter().throwIfClosing();
            throw e;
        }
        catch (final BootstrapException e)
        {
            session.diagnosis().throwIfFailed(engine.sequence());
            throw e;
        }
    }

    private void requireSame(final Announcement own, final int rank, final Announcement theirs)
    {
        if (!theirs.agrees(own))
        {
            throw new CollectiveException(rank, "ranks disagree: " + team.ranks().name(rank) + " called " +
                theirs.text() + ", " + team.ranks().name(team.rank()) + " called " + own.text() +
                (theirs.text().equals(own.text()) ? ", with different ranks" : "") + ": " + Diagnosis.RULE, null);
        }
    }
}
