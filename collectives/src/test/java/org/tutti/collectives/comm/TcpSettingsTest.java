/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.ReduceOp;
import org.tutti.rdma.os.SocketCalls;

import java.io.File;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that settings of tcp reach the sockets of a job. */
class TcpSettingsTest
{
    /** A size that no other socket of this process has. */
    private static final int BUFFER = 123_456;
    private static final int COUNT = 50_000;

    @Test
    void shouldUseSettingsWhenRanksCommunicate()
    {
        final JoinOptions options = options().tcpCrc(false).tcpCongestionControl("reno").tcpSendBuffer(BUFFER)
            .tcpReceiveBuffer(1 << 16).tcpMaxPayload(1024);
        final List<Long> sockets = LocalJob.call(2, options, communicator ->
        {
            final int[] numbers = new int[COUNT];
            Arrays.setAll(numbers, i -> i + communicator.rank());
            communicator.allreduce(numbers, ReduceOp.SUM);

            final int[] expected = new int[COUNT];
            Arrays.setAll(expected, i -> 2 * i + 1);
            assertArrayEquals(expected, numbers);
            // Both ends are in this process; the kernel reports twice the size.
            final long count = Arrays.stream(new File("/proc/self/fd").list()).mapToInt(Integer::parseInt)
                .filter(fd -> SocketCalls.option(fd, SocketCalls.SO_SNDBUF) == 2 * BUFFER &&
                    SocketCalls.congestionControl(fd).equals("reno")).count();
            communicator.barrier();
            return count;
        });
        sockets.forEach(count -> assertTrue(count >= 2, () -> count + " sockets have the settings"));
    }

    @Test
    void shouldThrowWhenKernelRefusesSetting()
    {
        final ConfigurationException thrown = assertThrows(ConfigurationException.class,
            () -> LocalJob.call(2, options().tcpCongestionControl("nosuch"), Communicator::size));
        assertTrue(thrown.getMessage().startsWith("TUTTI_TCP_CONGESTION_CONTROL='nosuch' is not available: give one " +
            "of those in /proc/sys/net/ipv4/tcp_available_congestion_control ("), thrown::getMessage);
    }

    @Test
    void shouldThrowWhenSettingIsInvalid()
    {
        assertEquals("tutti.tcp.busy.poll='-1' is not a number of microseconds from 0 to 10000",
            assertThrows(ConfigurationException.class,
                () -> LocalJob.call(2, options().tcpBusyPoll(-1), Communicator::size)).getMessage());
    }

    private static JoinOptions options()
    {
        return JoinOptions.ofEnvironment().transport("tcp").device("lo");
    }
}
