/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Jobs on one host over the network interface that {@code --device} names. */
@Execution(ExecutionMode.CONCURRENT)
class InterfacesTest
{
    private static final long TIMEOUT_MS = 120_000;

    @ParameterizedTest
    @CsvSource({"tcp:lo, 127.0.0.1", "127.0.0.0/8, 127.0.0.1", "tcp:::1, ::1"})
    void shouldUseTcpAtAddressOfNamedInterface(final String device, final String address) throws Exception
    {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.ofLiteral(address)) != null, "no address " + address);
        try (TuttiJob job = TuttiJob.start(2, List.of("--device", device, "-x", "TUTTI_VERBOSE=1"),
            List.of("hello")))
        {
            final int code = job.await(TIMEOUT_MS);

            assertEquals(0, code, job.output());
            assertTrue(job.output().contains("together over tcp/lo: the ranks sum up to 1\n"), job.output());
            assertTrue(job.output().contains("tutti: transport tcp uses lo:1 (TUTTI_DEVICE='" + device + "'), GID 0 " +
                (address.contains(":") ? "" : "::ffff:") + address + " (loopback, reachable from this host only)\n"),
                job.output());
        }
    }
}
