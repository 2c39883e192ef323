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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.tutti.benchmarks.verbs.RcEndpoint;

import java.util.concurrent.TimeUnit;

/**
 * Posting and polling on a connected pair of queue pairs in one process: inline writes of eight bytes.
 * {@code benchmarks/peers/verbs_loop.c} has the same cases in C: {@code postAndPoll} corresponds to
 * {@code post_and_poll}, and so on.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PostBenchmark
{
    private static final int WINDOW = Endpoints.DEPTH / 2;

    /** Name of the provider. */
    @Param("shm")
    public String transport;

    private Endpoints endpoints;
    private RcEndpoint sender;

    /** Connects two endpoints. */
    @Setup(Level.Trial)
    public void connect()
    {
        endpoints = Endpoints.connect(transport);
        sender = endpoints.near();
    }

    /** Closes both endpoints. */
    @TearDown(Level.Trial)
    public void close()
    {
        endpoints.close();
    }

    /** One signaled write, from post to completion. */
    @Benchmark
    public void postAndPoll()
    {
        sender.postWrite(true);
        while (sender.poll(1) == 0)
        {
            // No pause, as in the C version.
        }
    }

    /** Time per write in a window of which only the last write is signaled. */
    @Benchmark
    @OperationsPerInvocation(WINDOW)
    public void postWindow()
    {
        for (int i = 1; i < WINDOW; i++)
        {
            sender.postWrite(false);
        }
        sender.postWrite(true);
        while (sender.poll(1) == 0)
        {
            // No pause, as in the C version.
        }
    }

    /**
     * Polls an empty completion queue.
     *
     * @return 0.
     */
    @Benchmark
    public int pollEmpty()
    {
        return sender.poll(1);
    }
}
