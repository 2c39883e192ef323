/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.Window;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.endpoint.Creation;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.SetupCollective;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.List;
import java.util.stream.IntStream;

/** Creates windows: all ranks exchange the descriptors of their memory. */
public final class WindowFactory implements SetupCollective.Making<LocalWindow>
{
    /** Maximum number of RDMA reads in flight: enough to keep a fast network busy. */
    private static final int MAX_READS = 16;

    private final Session session;
    private final PooledDataBuffer memory;
    private final int signals;
    private RegisteredBuffer words;

    private WindowFactory(final Session session, final PooledDataBuffer memory, final int signals)
    {
        this.session = session;
        this.memory = memory;
        this.signals = signals;
    }

    /**
     * Creates a window collectively.
     *
     * @param session   session of the communicator.
     * @param checks    argument checks of the communicator.
     * @param memory    memory of this rank.
     * @param signals   number of signals per pair of ranks.
     * @param timeoutNs timeout of this call and of the window's calls, in nanoseconds.
     * @return window, owned by the caller.
     */
    public static Window make(
        final Session session, final ArgumentChecks checks, final DataBuffer memory, final int signals,
        final long timeoutNs)
    {
        final PooledDataBuffer own = checks.reachable("memory", memory);
        // Throws if the buffer is closed.
        own.memory();
        if (signals < 1 || signals > Window.MAX_SIGNALS)
        {
            throw new IllegalArgumentException("signals=" + signals + ": must be from 1 to " + Window.MAX_SIGNALS);
        }
        final LocalWindow window = session.setup().hold(
            Creation.window(own.type(), signals), new WindowFactory(session, own, signals), timeoutNs);
        return new EngineWindow(window, checks, timeoutNs);
    }

    @Override
    public byte[] contribution()
    {
        final Team team = session.team();
        words = team.pool().allocate(Signals.length(team.size(), signals));
        int reads = MAX_READS;
        for (final NetDevice device : team.context().devices())
        {
            final DeviceAttributes limits = device.port().limits();
            reads = Math.clamp(Math.min(limits.maxRdAtomic, limits.maxInitRdAtomic), 1, reads);
        }
        return WindowDescriptor.of(team.context().newName(), memory, words, reads, team.context().devices()).encode();
    }

    @Override
    public LocalWindow make(final List<byte[]> encoded, final long leftNs)
    {
        final Team team = session.team();
        final List<WindowDescriptor> descriptors = encoded.stream().map(WindowDescriptor::decode).toList();
        final LocalWindow window = new LocalWindow(session,
            GroupBootstrap.of(
                team.bootstrap(), descriptors.getFirst().name(), IntStream.range(0, team.size()).toArray()),
            session.engine().sequence(), memory, new Signals(words, team.size(), signals), descriptors);
        session.windows().add(window);
        return window;
    }
}
