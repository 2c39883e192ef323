/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.reduce.Reducers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Reduction kernels: calls per nanosecond, and bytes of results per nanosecond (equal to GB/s). */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReduceBenchmark
{
    /**
     * Fill byte of the operands. Four such bytes are a float of about 0.75, eight a double of about 0.0005: neither
     * these numbers nor their sums and products are zero or denormal.
     */
    private static final byte ORDINARY = 0x3F;
    private static final int RANKS = 3;

    /** Type of the elements. */
    @Param({
        "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "half", "bfloat16", "fp8_e4m3",
        "fp8_e5m2", "float", "double" })
    public String type;

    /** Operation of the reduction. */
    @Param({ "sum", "prod", "min", "max", "avg" })
    public String op;

    /** Bytes of each operand. */
    @Param({ "8", "4096", "65536", "67108864" })
    public long length;

    private Arena arena;
    private Reducer reducer;
    private long count;
    private long left;
    private long right;
    private long dst;

    /** Counts the bytes of the results. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Volume
    {
        /** Bytes of results so far. */
        public long bytes;
    }

    /** Allocates memory and fills it with numbers that are neither zero nor denormal. */
    @Setup(Level.Trial)
    public void allocate()
    {
        arena = Arena.ofConfined();
        final long distance = length + 64;
        final MemorySegment memory = arena.allocate(3 * distance, 64);
        final DataType dataType = DataType.named(type);
        reducer = Reducers.of(dataType, ReduceOp.named(op));
        count = length / dataType.size();
        left = memory.address();
        right = left + distance;
        dst = right + distance;
        memory.fill(ORDINARY);
    }

    /** Frees the memory. */
    @TearDown(Level.Trial)
    public void free()
    {
        arena.close();
    }

    @Benchmark
    public void reduce(final Volume volume)
    {
        reducer.reduceAndFinish(left, right, dst, count, RANKS);
        volume.bytes += length;
    }
}
