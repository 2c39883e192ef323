/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.tools.options.SizeSweep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What one run measures, checked.
 *
 * @param operation   collective.
 * @param sizes       sizes of the buffers.
 * @param types       types of the elements.
 * @param ops         operations of reductions.
 * @param root        root of broadcasts; {@link #ALL_ROOTS} for each rank in turn.
 * @param iterations  number of timed iterations; 0 chooses by size.
 * @param untimed     iterations before those, -1 to choose by size.
 * @param warmUp      warm-up before the table, by whole rows.
 * @param check       whether data is checked.
 * @param average     over the ranks' times.
 * @param timeout     timeout of each call, or null.
 * @param json        file to write, or null.
 * @param percentiles whether each iteration is timed by itself.
 * @param mode        mode of the calls.
 * @param tests       number of times that a computation is interrupted to test the request.
 * @param window      messages under way at once, where they are streamed.
 * @param counts      how long blocks are, where calls take counts.
 */
record PerfConfig(
    Operation operation,
    SizeSweep sizes,
    List<DataType> types,
    List<ReduceOp> ops,
    int root,
    int iterations,
    int untimed,
    WarmUp warmUp,
    boolean check,
    Average average,
    Duration timeout,
    Path json,
    boolean percentiles,
    Mode mode,
    int tests,
    int window,
    Counts counts)
{
    static final int ALL_ROOTS = -1;
    /** nccl-tests' mulsum: by a number that leaves sums exact. */
    static final ReduceOp MULSUM = ReduceOp.premulSum(2);

    /** Which of the ranks' times is printed, in the order of nccl-tests' numbers for it. */
    enum Average
    {
        RANK_0, MEAN, MIN, MAX
    }

    /** Whether disturbed rows are timed again: only after a warm-up by rows. */
    boolean isRepeated()
    {
        return !warmUp.equals(WarmUp.NONE);
    }

    static String label(final ReduceOp op)
    {
        return op.equals(MULSUM) ? "mulsum" : op.shortName();
    }

    static boolean isDefined(final ReduceOp op, final DataType type)
    {
        try
        {
            op.requireDefinedOn(type);
            return true;
        }
        catch (final IllegalArgumentException e)
        {
            return false;
        }
    }
}
