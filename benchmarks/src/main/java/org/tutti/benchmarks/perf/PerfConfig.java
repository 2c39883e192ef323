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
 * Validated configuration of a run.
 *
 * @param operation   operation to measure.
 * @param sizes       sizes of the buffers.
 * @param types       types of the elements.
 * @param ops         operations of reductions.
 * @param root        root rank; {@link #ALL_ROOTS} for each rank in turn.
 * @param iterations  number of timed iterations; 0 selects the number by size.
 * @param untimed     number of untimed iterations before the timed ones; -1 selects the number by size.
 * @param warmUp      warm-up before the table, in whole rows.
 * @param check       whether data is checked.
 * @param average     which of the ranks' times is reported.
 * @param timeout     timeout of each call, or null for the communicator's.
 * @param json        file to write, or null.
 * @param percentiles whether each iteration is timed separately.
 * @param mode        mode of the calls.
 * @param tests       number of times that the computation is interrupted to test the request.
 * @param window      number of outstanding messages in put_bw and get_bw.
 * @param requests    number of requests in progress at once; 1 for a blocking call.
 * @param counts      rule of the block lengths for operations with counts.
 * @param memory      kind of memory of the buffers.
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
    int requests,
    CountsRule counts,
    MemoryKind memory)
{
    static final int ALL_ROOTS = -1;
    /** The mulsum of nccl-tests: the scalar keeps sums exact. */
    static final ReduceOp MULSUM = ReduceOp.premulSum(2);

    /** How the ranks' times are combined, in the order of nccl-tests' values of -a. */
    enum Average
    {
        RANK_0, MEAN, MIN, MAX
    }

    /** Whether disturbed rows are timed again, which requires a warm-up by rows. */
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
