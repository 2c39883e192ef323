/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/** Posting and polling on a connected pair of queue pairs in one process: inline writes of eight bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PostBenchmark
{
    private static final int WINDOW = Endpoint.DEPTH / 2;

    private Endpoint sender;
    private Endpoint receiver;

    /** Connects two ends. */
    @Setup(Level.Trial)
    public void connect()
    {
        sender = new Endpoint();
        receiver = new Endpoint();
        sender.connect(receiver);
        receiver.connect(sender);
    }

    /** Closes both. */
    @TearDown(Level.Trial)
    public void close()
    {
        sender.close();
        receiver.close();
    }

    /** One signaled write, from post to completion. */
    @Benchmark
    public void postAndPoll()
    {
        sender.postWrite(true);
        while (!sender.poll())
        {
            Thread.onSpinWait();
        }
    }

    /** The share of one write in a window of which only the last is signaled. */
    @Benchmark
    @OperationsPerInvocation(WINDOW)
    public void postWindow()
    {
        for (int i = 1; i < WINDOW; i++)
        {
            sender.postWrite(false);
        }
        sender.postWrite(true);
        while (!sender.poll())
        {
            Thread.onSpinWait();
        }
    }

    /**
     * A look into an empty completion queue.
     *
     * @return false.
     */
    @Benchmark
    public boolean pollEmpty()
    {
        return sender.poll();
    }
}
