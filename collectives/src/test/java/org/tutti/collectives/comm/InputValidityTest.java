/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A rank that reads a peer's INPUT late gets the right result or an error, regardless of what the peer does. */
@Timeout(120)
class InputValidityTest
{
    /** With one element, rank 0 reduces all, regardless of what rank 1 does after it has exposed its INPUT. */
    private static final Map<String, String> READ_IN_PLACE =
        Map.of("TUTTI_ALGORITHM", "reduce:0-:direct");

    @Test
    void shouldFailWhenAPeerAbortsAndItsCallerWritesToItsInput()
    {
        runLate((communicator, input) -> input.segment().set(ValueLayout.JAVA_DOUBLE, 0, 1000));
    }

    @Test
    void shouldFailWhenAPeerAbortsAndItsCallerClosesItsInput()
    {
        runLate((communicator, input) -> input.close());
    }

    @Test
    void shouldFailWhenAPeerAbortsAndCloses()
    {
        runLate((communicator, input) -> communicator.close());
    }

    /** What the caller does after its call has failed. */
    private interface AfterFailure
    {
        void run(Communicator communicator, DataBuffer input);
    }

    private static void runLate(final AfterFailure afterFailure)
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        try (Ranks ranks = new Ranks(
            List.of(withoutNotices(group.get(0)), group.get(1)), List.of(READ_IN_PLACE, READ_IN_PLACE)))
        {
            final DataBuffer[] inputs = new DataBuffer[2];
            ranks.run(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.FLOAT64, 1);
                inputs[communicator.rank()] = input;
                input.segment().set(ValueLayout.JAVA_DOUBLE, 0, communicator.rank() + 1);
                final DataBuffer output = communicator.allocate(DataType.FLOAT64, 1);
                communicator.reduce(input, output, ReduceOp.SUM, 0);
                if (communicator.rank() == 0)
                {
                    assertEquals(3, output.segment().get(ValueLayout.JAVA_DOUBLE, 0));
                }
                // In the call after it, no rank waits for READY of its peers.
                communicator.barrier();
            });
            final Communicator early = ranks.communicator(1);
            assertThrows(CollectiveTimeoutException.class, () -> early.withTimeout(Duration.ofMillis(1))
                .reduce(inputs[1], inputs[1], ReduceOp.SUM, 0));
            afterFailure.run(early, inputs[1]);

            final Communicator late = ranks.communicator(0);
            final DataBuffer output = late.allocate(DataType.FLOAT64, 1);
            final CollectiveException thrown = assertThrows(
                CollectiveException.class, () -> late.reduce(inputs[0], output, ReduceOp.SUM, 0));
            assertTrue(thrown.getMessage().contains("rank 1"), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("has aborted this call or an earlier one"), thrown::getMessage);
        }
    }

    /** Returns a bootstrap that reports no failures, as for a rank that was stopped in the meantime. */
    private static Bootstrap withoutNotices(final Bootstrap bootstrap)
    {
        return (Bootstrap)Proxy.newProxyInstance(
            InputValidityTest.class.getClassLoader(), new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                if (method.getName().equals("failure"))
                {
                    return null;
                }
                try
                {
                    return method.invoke(bootstrap, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
