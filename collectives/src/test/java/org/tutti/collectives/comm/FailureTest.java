/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Exceptions of a rank whose call fails, and its state afterwards. */
class FailureTest
{
    private static final Map<String, String> SHORT =
        Map.of("TUTTI_TIMEOUT", "100ms", "TUTTI_JOIN_TIMEOUT", "100ms");

    @Test
    void shouldThrowTheCauseWhenTheAbortFails()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        try (Ranks ranks = new Ranks(
            List.of(failing(group.get(0), "abort"), group.get(1)), List.of(Map.of(), Map.of())))
        {
            final Communicator communicator = ranks.communicator(0);

            final CollectiveTimeoutException thrown = assertThrows(CollectiveTimeoutException.class,
                () -> communicator.withTimeout(Duration.ofMillis(50)).barrier());

            assertEquals("no abort", thrown.getSuppressed()[0].getMessage());
            final CollectiveException again = assertThrows(CollectiveException.class, communicator::barrier);
            assertTrue(again.getMessage().contains("has failed"), again::getMessage);
            communicator.close();
        }
    }

    @Test
    void shouldThrowTheCauseWhenConnectAbortAndCloseFail()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);

        final BootstrapTimeoutException thrown = assertThrows(BootstrapTimeoutException.class,
            () -> Team.connect(failing(group.get(0), "abort", "close"), EngineConfiguration.of(SHORT)));

        assertEquals("no abort", thrown.getSuppressed()[0].getMessage());
        assertEquals("no close", thrown.getSuppressed()[1].getSuppressed()[0].getMessage());
        group.forEach(InMemoryBootstrap::close);
    }

    @Test
    void shouldNameThePeerOfATransportError()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            final QueuePairAttributes error = new QueuePairAttributes();
            error.state = QueuePairState.ERR;
            ranks.run(Communicator::barrier);
            ranks.team(1).connections()[0].queuePair().modify(error, QueuePairAttributeMask.STATE);

            final CollectiveException thrown =
                assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());

            assertEquals(1, thrown.peer());
            assertTrue(thrown.getMessage().contains("barrier #1 failed"), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("on the connection to rank 1"), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("RETRY_EXC_ERR"), thrown::getMessage);
        }
    }

    @Test
    void shouldNotAllocateMemoryThatALatePeerMayWrite()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final DataBuffer output = communicator.allocate(DataType.FLOAT32, 1_000);
                    assertThrows(CollectiveTimeoutException.class,
                        () -> communicator.withTimeout(Duration.ofMillis(50)).allreduce(output, ReduceOp.SUM));
                    output.close();

                    final CollectiveException thrown = assertThrows(CollectiveException.class,
                        () -> communicator.allocate(DataType.FLOAT32, 1_000));
                    assertTrue(thrown.getMessage().contains("has failed"), thrown::getMessage);
                }
            });
        }
    }

    /** Each segment takes less than the timeout, and all together take longer, however slow the machine is. */
    @Test
    void shouldShareOneDeadlineAcrossAllSegmentsOfACall()
    {
        final int count = 2 << 20;
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final boolean isSlow = communicator.rank() == 1;
                final ReduceOp slow = ReduceOp.ofSegments("first", (left, _, results, length) ->
                {
                    LockSupport.parkNanos(isSlow ? TimeUnit.MILLISECONDS.toNanos(200) : 0);
                    results.copyFrom(left.asSlice(0, length));
                });
                communicator.withTimeout(Duration.ofMillis(isSlow ? 60_000 : 900)).allreduce(
                    MemorySegment.ofArray(new byte[count]), MemorySegment.ofArray(new byte[count]), count,
                    DataType.INT8, slow);
            });

            assertInstanceOf(CollectiveTimeoutException.class, thrown.get(0));
            assertTrue(thrown.get(0).getMessage().contains("timed out after 0.9 s"), thrown.get(0)::getMessage);
        }
    }

    /** Returns a bootstrap some of whose methods throw after they have done their work. */
    private static Bootstrap failing(final Bootstrap bootstrap, final String... methods)
    {
        return (Bootstrap)Proxy.newProxyInstance(
            FailureTest.class.getClassLoader(), new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                try
                {
                    final Object result = method.invoke(bootstrap, arguments);
                    if (Arrays.asList(methods).contains(method.getName()))
                    {
                        throw new BootstrapException("no " + method.getName());
                    }
                    return result;
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
