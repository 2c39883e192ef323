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
 * Ping-pong of eight bytes between two threads, each with its own context, by RDMA_WRITE_WITH_IMM; the receive requests
 * are posted beforehand. With two free cores, half of the measured time is the latency of one message.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ExchangeBenchmark
{
    private static final int RECEIVES = Endpoints.DEPTH / 2;
    private static final int SIGNAL_EVERY = Endpoints.DEPTH / 4;
    private static final int SPINS_PER_YIELD = 1_000;

    /** Name of the provider. */
    @Param("shm")
    public String transport;

    private Endpoints endpoints;
    private RcEndpoint near;
    private RcEndpoint far;
    private Thread responder;
    private volatile boolean running;
    private int posted;

    /** Connects two endpoints and starts the thread that responds at the far endpoint. */
    @Setup(Level.Trial)
    public void connect()
    {
        endpoints = Endpoints.connect(transport);
        near = endpoints.near();
        far = endpoints.far();
        for (int i = 0; i < RECEIVES; i++)
        {
            near.postReceive();
            far.postReceive();
        }
        running = true;
        responder = Thread.ofPlatform().name("responder").daemon().start(this::respond);
    }

    /**
     * Stops the responder and closes both endpoints.
     *
     * @throws InterruptedException if this thread was interrupted.
     */
    @TearDown(Level.Trial)
    public void close() throws InterruptedException
    {
        running = false;
        responder.join();
        endpoints.close();
    }

    @Benchmark
    public void roundTrip()
    {
        near.postWriteWithImmediate(++posted % SIGNAL_EVERY == 0);
        awaitReceive(near);
    }

    private void respond()
    {
        int answered = 0;
        while (awaitReceive(far))
        {
            far.postWriteWithImmediate(++answered % SIGNAL_EVERY == 0);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private boolean awaitReceive(final RcEndpoint endpoint)
    {
        int spins = 0;
        while (running)
        {
            if (endpoint.poll(1) == 0)
            {
                // Without its own core, the other thread cannot respond while this one spins.
                if (++spins % SPINS_PER_YIELD == 0)
                {
                    Thread.yield();
                }
                Thread.onSpinWait();
            }
            else if (endpoint.isReceive())
            {
                endpoint.postReceive();
                return true;
            }
        }
        return false;
    }
}
