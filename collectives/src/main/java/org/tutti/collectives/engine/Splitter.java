/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes communicators out of one: all its ranks tell each other, through the bootstrap, which of the new ones they want
 * to be in, so that each knows who is with it. To make some is a call like any other, in the same order on all ranks;
 * it is numbered, and who calls something else meanwhile is found out as in a collective.
 */
final class Splitter
{
    /**
     * What a rank says.
     *
     * @param sequence number of the call.
     * @param kind     ordinal of the {@link Creation}.
     * @param count    of ranks passed.
     * @param hash     of them.
     * @param color    of the communicator it wants to be in; negative for none.
     * @param key      its place there.
     * @param name     of the new communicator, if this is its first rank.
     */
    private record Wish(long sequence, int kind, int count, int hash, int color, int key, String name)
    {
        private static final int FIXED_LENGTH = Long.BYTES + 5 * Integer.BYTES;

        static Wish of(final long sequence, final CallDescription call, final int color, final int key,
            final String name)
        {
            return new Wish(sequence, call.root(), (int)call.count(), call.algorithm(), color, key, name);
        }

        static Wish decode(final byte[] bytes)
        {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new Wish(buffer.getLong(), buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getInt(),
                buffer.getInt(), new String(bytes, FIXED_LENGTH, bytes.length - FIXED_LENGTH, StandardCharsets.UTF_8));
        }

        byte[] encode()
        {
            final byte[] text = name.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(FIXED_LENGTH + text.length)
                .putLong(sequence).putInt(kind).putInt(count).putInt(hash).putInt(color).putInt(key).put(text).array();
        }

        boolean agrees(final Wish other)
        {
            return sequence == other.sequence && kind == other.kind && count == other.count && hash == other.hash;
        }

        String call()
        {
            return Creation.values()[kind].text(count) + " #" + sequence;
        }
    }

    private final Session session;
    private final Mesh mesh;
    private long creations;

    Splitter(final Session session)
    {
        this.session = session;
        mesh = session.mesh();
    }

    /**
     * Makes a communicator of all ranks that pass the same colour.
     *
     * @param kind      of call.
     * @param ranks     that were passed, if any.
     * @param color     negative for none.
     * @param key       orders the ranks; of equal ones, the lower rank comes first.
     * @param timeoutNs of the call.
     * @return the new communicator, or null if the colour is negative.
     */
    Communicator split(
        final Creation kind, final int[] ranks, final int color, final int key, final long timeoutNs)
    {
        session.enter(timeoutNs);
        session.links().goOnByThemselves();
        session.gathering().begin();
        try
        {
            final Mesh child = create(kind.call(ranks), color, key, timeoutNs);
            return child == null ? null : new EngineCommunicator(
                new Session(child, mesh.family().configuration()), timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
        finally
        {
            session.gathering().end();
            session.leave();
        }
    }

    private Mesh create(final CallDescription call, final int color, final int key, final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final ScheduleEngine engine = session.engine();
        engine.enter(call);
        try
        {
            // Peers that call something else and wait for this rank look here.
            mesh.board().publish();
            final Wish own = Wish.of(engine.sequence(), call, color, key, mesh.family().newName());
            final List<Wish> wishes = mesh.bootstrap()
                .allgather("create/" + creations++, own.encode(), timeoutNs).stream().map(Wish::decode).toList();
            requireSame(own, wishes);
            engine.finish();
            if (color < 0)
            {
                return null;
            }
            final int[] members = IntStream.range(0, wishes.size())
                .filter(rank -> wishes.get(rank).color == color).boxed()
                .sorted(Comparator.comparingInt(rank -> wishes.get(rank).key)).mapToInt(Integer::intValue).toArray();
            return Mesh.connect(mesh.family(),
                GroupBootstrap.of(mesh.bootstrap(), wishes.get(members[0]).name, members),
                Math.max(0, deadlineNs - System.nanoTime()));
        }
        catch (final BootstrapTimeoutException e)
        {
            final CollectiveException timeout = mesh.diagnosis().timeout(engine.sequence(), -1, timeoutNs);
            throw timeout instanceof CollectiveTimeoutException ?
                new CollectiveTimeoutException(-1, timeout.getMessage() + " (" + e.getMessage() + ")") : timeout;
        }
        catch (final BootstrapException e)
        {
            session.waiter().throwIfClosing();
            mesh.diagnosis().throwIfFailed(engine.sequence());
            throw e;
        }
    }

    private void requireSame(final Wish own, final List<Wish> wishes)
    {
        for (int rank = 0; rank < wishes.size(); rank++)
        {
            final Wish theirs = wishes.get(rank);
            if (!theirs.agrees(own))
            {
                throw new CollectiveException(rank, "ranks disagree: " + mesh.name(rank) + " called " + theirs.call() +
                    ", " + mesh.name(mesh.rank()) + " called " + own.call() +
                    (theirs.call().equals(own.call()) ? ", with other ranks" : "") + ": " + Diagnosis.SAME_CALLS, null);
            }
        }
    }
}
