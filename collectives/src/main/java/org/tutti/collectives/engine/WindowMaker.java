/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.Window;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.List;
import java.util.stream.IntStream;

/** Makes windows: all ranks tell each other where their memory is. */
final class WindowMaker implements Meeting.Making<WindowEnd>
{
    /** Enough that a fast network does not wait for answers. */
    private static final int MAX_READS = 16;

    private final Session session;
    private final PooledDataBuffer memory;
    private final int signals;
    private RegisteredBuffer words;

    private WindowMaker(final Session session, final PooledDataBuffer memory, final int signals)
    {
        this.session = session;
        this.memory = memory;
        this.signals = signals;
    }

    /**
     * Makes one, together with the other ranks.
     *
     * @param session   of the communicator.
     * @param checks    of what callers pass.
     * @param memory    of this rank.
     * @param signals   of each rank for each other one.
     * @param timeoutNs of the call, and of those of the window.
     * @return owned by the caller.
     */
    static Window make(
        final Session session, final ArgumentChecks checks, final DataBuffer memory, final int signals,
        final long timeoutNs)
    {
        final PooledDataBuffer own = checks.own("memory", memory);
        // Throws if it is closed.
        own.memory();
        if (signals < 1 || signals > Window.MAX_SIGNALS)
        {
            throw new IllegalArgumentException("signals=" + signals + ": must be from 1 to " + Window.MAX_SIGNALS);
        }
        final WindowEnd end = session.splitter().meeting().hold(
            Creation.window(own.type(), signals), new WindowMaker(session, own, signals), timeoutNs);
        return new EngineWindow(end, timeoutNs);
    }

    @Override
    public byte[] offer()
    {
        final Mesh mesh = session.mesh();
        words = mesh.pool().allocate(Signals.length(mesh.size(), signals));
        int reads = MAX_READS;
        for (final Rail rail : mesh.family().rails())
        {
            final DeviceAttributes limits = rail.port().limits();
            reads = Math.clamp(Math.min(limits.maxRdAtomic, limits.maxInitRdAtomic), 1, reads);
        }
        return WindowOffer.of(mesh.family().newName(), memory, words, reads, mesh.family().rails()).encode();
    }

    @Override
    public WindowEnd make(final List<byte[]> encoded, final long leftNs)
    {
        final Mesh mesh = session.mesh();
        final List<WindowOffer> offers = encoded.stream().map(WindowOffer::decode).toList();
        final WindowEnd end = new WindowEnd(session,
            GroupBootstrap.of(mesh.bootstrap(), offers.getFirst().name(), IntStream.range(0, mesh.size()).toArray()),
            session.engine().sequence(), memory, new Signals(words, mesh.size(), signals), offers);
        session.links().windows().add(end);
        return end;
    }
}
