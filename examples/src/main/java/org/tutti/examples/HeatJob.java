/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

/**
 * Heat diffusion in a ring of cells, of which each rank owns an arc: in each step a rank needs one cell of each
 * neighbour. The neighbour puts the cell into the rank's window and signals.
 */
@Command(name = "heat", mixinStandardHelpOptions = true,
    description = "Simulates heat diffusion in a ring of cells; neighbours put their boundary cells.")
public final class HeatJob implements JobCommand
{
    private static final int LEFT = 0;
    private static final int RIGHT = 1;

    @Spec
    private CommandSpec spec;

    private int steps;

    /** Required by {@link java.util.ServiceLoader}. */
    public HeatJob()
    {
    }

    @Option(names = "--steps", paramLabel = "N", defaultValue = "1000",
        description = "Number of time steps (default: ${DEFAULT-VALUE}).")
    void steps(final int value)
    {
        OptionRules.require(spec, value >= 0, "--steps=" + value, "must be at least 0");
        steps = value;
    }

    @Override
    public Integer call()
    {
        try (Communicator world = Communicator.world())
        {
            final double[] heat = spread(world, 100, steps);
            if (world.rank() == 0)
            {
                System.out.printf(Locale.ROOT,
                    "after %d steps the total is %.6f of 1.0, the maximum of a cell %.6f%n", steps,
                    heat[0], heat[1]);
            }
        }
        return 0;
    }

    /**
     * Simulates diffusion, starting with 1.0 in the first cell of rank 0 and 0 elsewhere.
     *
     * @param world communicator of all ranks.
     * @param cells number of cells per rank.
     * @param steps number of time steps.
     * @return total over all cells, and maximum of a cell.
     */
    static double[] spread(final Communicator world, final int cells, final int steps)
    {
        final int size = world.size();
        final int left = (world.rank() + size - 1) % size;
        final int right = (world.rank() + 1) % size;
        // Two cells per neighbour, because a neighbour may be one step ahead.
        try (DataBuffer edges = world.allocate(DataType.FLOAT64, 4);
            DataBuffer even = world.allocate(DataType.FLOAT64, cells);
            DataBuffer odd = world.allocate(DataType.FLOAT64, cells);
            Window window = world.window(edges, 2))
        {
            even.segment().set(JAVA_DOUBLE, 0, world.rank() == 0 ? 1.0 : 0.0);
            for (int step = 0; step < steps; step++)
            {
                final int slot = 2 * (step % 2);
                final DataBuffer now = step % 2 == 0 ? even : odd;
                window.putSignal(now, 0, 1, left, slot + RIGHT, RIGHT);
                window.putSignal(now, cells - 1, 1, right, slot + LEFT, LEFT);
                window.waitSignal(left, LEFT, 1);
                window.waitSignal(right, RIGHT, 1);
                advance(now.segment(), (now == even ? odd : even).segment(), cells,
                    edges.segment().getAtIndex(JAVA_DOUBLE, slot + LEFT),
                    edges.segment().getAtIndex(JAVA_DOUBLE, slot + RIGHT));
            }
            return total(world, (steps % 2 == 0 ? even : odd).segment(), cells);
        }
    }

    /** Moves a quarter of each cell to each side. */
    private static void advance(
        final MemorySegment from, final MemorySegment to, final int cells, final double left, final double right)
    {
        for (int i = 0; i < cells; i++)
        {
            final double before = i == 0 ? left : from.getAtIndex(JAVA_DOUBLE, i - 1);
            final double after = i == cells - 1 ? right : from.getAtIndex(JAVA_DOUBLE, i + 1);
            to.setAtIndex(JAVA_DOUBLE, i, before / 4 + from.getAtIndex(JAVA_DOUBLE, i) / 2 + after / 4);
        }
    }

    private static double[] total(final Communicator world, final MemorySegment segment, final int cells)
    {
        final double[] sum = new double[1];
        final double[] most = new double[1];
        for (int i = 0; i < cells; i++)
        {
            sum[0] += segment.getAtIndex(JAVA_DOUBLE, i);
            most[0] = Math.max(most[0], segment.getAtIndex(JAVA_DOUBLE, i));
        }
        world.allreduce(sum, ReduceOp.SUM);
        world.allreduce(most, ReduceOp.MAX);
        return new double[] {sum[0], most[0]};
    }
}
