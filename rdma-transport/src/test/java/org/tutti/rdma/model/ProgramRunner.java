/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.model;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.contract.Node;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs a program on two nodes of a provider and on two models, and compares after every action. */
final class ProgramRunner implements AutoCloseable
{
    /** The number of a region that does not exist. */
    static final int UNKNOWN_REGION = 6;

    private static final long REGION_LENGTH = 128;
    private static final int[] ACCESS =
    {
        AccessFlags.ALL, AccessFlags.ALL, AccessFlags.LOCAL_WRITE, 0,
        AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ, AccessFlags.ALL
    };
    /** The number of the last region, which belongs to another protection domain. */
    private static final int FOREIGN_REGION = 5;
    private static final Shape SHAPE = new Shape(64, 4, 4, 3, 40, false, false, REGION_LENGTH * ACCESS.length);
    /** Timeout of a provider for actions that the model executes immediately. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final boolean isPipelined;
    private final Node[] nodes;
    private final Tuning tuning;
    private final Info[] infos = new Info[2];
    private final int[] qps = new int[2];
    private final VerbsModel[] models = new VerbsModel[2];
    private final Region[][] regions = new Region[2][ACCESS.length];
    private final boolean[][] isGone = new boolean[2][ACCESS.length];
    // Whether requests without completion may lag behind the model.
    private final boolean[] isVague = new boolean[2];
    private long nextWrId = 1;

    ProgramRunner(final Node one, final Node other, final boolean isRnrForEver)
    {
        this(one, other, isRnrForEver, false);
    }

    /** Creates a runner for a provider whose requests start when posted, even behind one that waits for a receive. */
    ProgramRunner(final Node one, final Node other, final boolean isRnrForEver, final boolean isPipelined)
    {
        this.isPipelined = isPipelined;
        nodes = new Node[]{one, other};
        tuning = new Tuning(6, 1, isRnrForEver ? 7 : 0, 1, AccessFlags.ALL, 16);
        for (int side = 0; side < 2; side++)
        {
            infos[side] = nodes[side].open(SHAPE);
            qps[side] = nodes[side].createQueuePair();
            models[side] = new VerbsModel(SHAPE, infos[side], qps[side], isRnrForEver, isPipelined);
            for (int i = 0; i < ACCESS.length; i++)
            {
                final long offset = i * REGION_LENGTH;
                final boolean isForeign = i == FOREIGN_REGION;
                regions[side][i] = isForeign ? nodes[side].registerForeign(offset, REGION_LENGTH, ACCESS[i]) :
                    nodes[side].register(offset, REGION_LENGTH, ACCESS[i]);
                models[side].register(regions[side][i], ACCESS[i], isForeign);
            }
            fill(side);
        }
        VerbsModel.join(models[0], models[1]);
        connect();
    }

    private void fill(final int side)
    {
        final byte[] bytes = models[side].memory();
        // The first bytes stay 0 as targets of atomics.
        for (int i = 32; i < bytes.length; i++)
        {
            bytes[i] = (byte)(side == 0 ? i : -i);
        }
        nodes[side].put(0, bytes);
    }

    private void connect()
    {
        nodes[0].connect(qps[0], infos[1], qps[1], tuning);
        nodes[1].connect(qps[1], infos[0], qps[0], tuning);
    }

    void run(final List<Action> program)
    {
        for (int i = 0; i < program.size(); i++)
        {
            final Action action = program.get(i);
            final String where = "action " + i + ": " + action;
            final boolean[] isWaiting = {!models[0].isIdle(), !models[1].isIdle()};
            if (isOrderly(0, action) && isOrderly(1, action))
            {
                perform(action, where);
            }
            await(() -> models[0].state() == nodes[0].state(qps[0]) && models[1].state() == nodes[1].state(qps[1]) &&
                Arrays.equals(models[0].memory(), memory(0)) && Arrays.equals(models[1].memory(), memory(1)));
            for (int side = 0; side < 2; side++)
            {
                final String what = " of side " + side + ", " + where;
                assertEquals(models[side].state(), nodes[side].state(qps[side]), "state" + what);
                assertArrayEquals(models[side].memory(), memory(side), "memory" + what);
                // If requests travel, one without visible effect may be on its way.
                if (isWaiting[side] || isVague[side] || isPipelined)
                {
                    isVague[side] = !catchUp(side, where);
                }
            }
        }
        for (int side = 0; side < 2; side++)
        {
            pollSends(side, 100, "at the end");
            pollReceives(side, 100, "at the end");
        }
    }

    /**
     * While the progress of a side is unknown, only actions that queue up, unblock the side or discard its requests are
     * run.
     */
    private boolean isOrderly(final int side, final Action action)
    {
        return !isVague[side] || switch (action)
        {
            case Action.PostSend post -> post.side() == side;
            case Action.PostReceive post -> post.side() != side;
            case Action.PollSends _, Action.PollReceives _, Action.Reconnect _ -> true;
            default -> false;
        };
    }

    /**
     * Requests that waited for a receive continue asynchronously. They are complete when a later one is.
     *
     * @return false if some may be incomplete.
     */
    private boolean catchUp(final int side, final String where)
    {
        if (models[side].state() != QueuePairState.RTS)
        {
            return true;
        }
        if (!models[side].isIdle())
        {
            return false;
        }
        pollSends(side, SHAPE.maxSend(), where);
        final List<Send> probe = List.of(Send.rdma(SendOpcode.RDMA_WRITE, nextWrId++, 0, 0));
        final Posted posted = models[side].postSend(probe);
        assertEquals(posted, nodes[side].postSend(qps[side], probe), where);
        pollSends(side, SHAPE.maxSend(), where);
        return posted.errno() == 0;
    }

    private void perform(final Action action, final String where)
    {
        switch (action)
        {
            case Action.PostSend post -> postSend(post.side(), post.requests(), where);
            case Action.PostReceive post -> postReceive(post.side(), post.receives(), where);
            case Action.PollSends poll -> pollSends(poll.side(), poll.max(), where);
            case Action.PollReceives poll -> pollReceives(poll.side(), poll.max(), where);
            case Action.Deregister deregister -> deregister(deregister.side(), deregister.region());
            case Action.Fail fail -> fail(fail.side());
            case Action.Reset reset ->
            {
                nodes[reset.side()].toState(qps[reset.side()], QueuePairState.RESET);
                models[reset.side()].reset();
            }
            case Action.Pause pause -> pause(pause.side(), pause.requests(), where);
            case Action.Reconnect _ -> reconnect();
        }
    }

    private void postSend(final int side, final List<Action.Request> requests, final String where)
    {
        final List<Send> sends = requests.stream().map((request) -> send(side, request)).toList();
        assertEquals(models[side].postSend(sends), nodes[side].postSend(qps[side], sends), where);
    }

    private Send send(final int side, final Action.Request request)
    {
        // Inline data is read when posted, so its address must be valid.
        final boolean isInline = (request.flags() & 8) != 0;
        final List<Sge> sges = request.places().stream()
            .map((place) -> isInline ? sge(side, 0, Math.clamp(place.offset(), 0, 96), place.length()) :
                sge(side, place.region(), place.offset(), place.length())).toList();
        final Sge remote = sge(1 - side, request.remote().region(), request.remote().offset(), 0);
        // Without a fence, a provider whose requests travel may send data before an earlier read has changed it.
        final int flags = request.flags() | (isPipelined ? SendFlags.FENCE : 0);
        return new Send(nextWrId++, request.opcode(), flags, request.operand() - 1, remote.address(),
            request.remote().region() == UNKNOWN_REGION ? 0x7FFF_FFFF :
                regions[1 - side][request.remote().region()].rkey(),
            request.operand(), request.swap(), sges);
    }

    private Sge sge(final int side, final int region, final int offset, final int length)
    {
        return region == UNKNOWN_REGION ? new Sge(regions[side][0].address() + offset, length, 0x7FFF_FFFF) :
            new Sge(regions[side][region].address() + offset, length, regions[side][region].lkey());
    }

    private void postReceive(final int side, final List<List<Action.Place>> lists, final String where)
    {
        final List<Receive> receives = new ArrayList<>();
        for (final List<Action.Place> list : lists)
        {
            receives.add(new Receive(nextWrId++, list.stream()
                .map((place) -> sge(side, place.region(), place.offset(), place.length())).toList()));
        }
        assertEquals(models[side].postReceive(receives), nodes[side].postReceive(qps[side], receives), where);
    }

    private void pollSends(final int side, final int max, final String where)
    {
        final List<Completion> expected = models[side].pollSends(max);
        final List<Completion> actual = new ArrayList<>();
        if (!expected.isEmpty())
        {
            actual.addAll(nodes[side].pollSends(expected.size(), PATIENCE_NS / 1_000_000));
        }
        if (expected.size() < max)
        {
            actual.addAll(nodes[side].pollSends(max - expected.size(), 0));
        }
        assertEquals(expected, actual, "sends of side " + side + ", " + where);
    }

    private void pollReceives(final int side, final int max, final String where)
    {
        final List<Completion> expected = models[side].pollReceives(max);
        final List<Completion> actual = new ArrayList<>();
        if (!expected.isEmpty())
        {
            actual.addAll(nodes[side].pollReceives(expected.size(), PATIENCE_NS / 1_000_000));
        }
        if (expected.size() < max)
        {
            actual.addAll(nodes[side].pollReceives(max - expected.size(), 0));
        }
        assertEquals(expected, actual, "receives of side " + side + ", " + where);
    }

    private void deregister(final int side, final int region)
    {
        // A request that has started does not notice that its key is gone.
        final boolean isIdle = models[0].isIdle() && models[1].isIdle();
        if (!isGone[side][region] && (isIdle || !isPipelined))
        {
            isGone[side][region] = true;
            nodes[side].deregister(regions[side][region].id());
            models[side].deregister(regions[side][region]);
        }
    }

    private void fail(final int side)
    {
        // The specification and Linux differ for RESET.
        if (models[side].state() != QueuePairState.RESET)
        {
            nodes[side].toState(qps[side], QueuePairState.ERR);
            models[side].fail();
        }
    }

    private void pause(final int side, final List<Action.Request> requests, final String where)
    {
        // The specification does not define whether a request that waits for a receive has started.
        if (models[side].state() == QueuePairState.RTS && models[side].isIdle())
        {
            nodes[side].toState(qps[side], QueuePairState.SQD);
            models[side].drain();
            postSend(side, requests, where);
            assertEquals(QueuePairState.SQD, nodes[side].state(qps[side]), where);
            assertArrayEquals(models[1 - side].memory(), memory(1 - side), "while paused, " + where);
            nodes[side].toState(qps[side], QueuePairState.RTS);
            models[side].ready();
        }
    }

    private void reconnect()
    {
        for (int side = 0; side < 2; side++)
        {
            nodes[side].toState(qps[side], QueuePairState.RESET);
        }
        for (int side = 0; side < 2; side++)
        {
            models[side].reset();
        }
        connect();
        for (int side = 0; side < 2; side++)
        {
            models[side].ready();
        }
    }

    private byte[] memory(final int side)
    {
        return nodes[side].get(0, (int)SHAPE.memoryLength());
    }

    private static void await(final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - startNs < PATIENCE_NS)
        {
            LockSupport.parkNanos(10_000);
        }
    }

    @Override
    public void close()
    {
        nodes[0].close();
        nodes[1].close();
    }
}
