/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest
{
    @ParameterizedTest
    @CsvSource({
        "node0:29500, node0, 29500",
        "10.0.0.1:0, 10.0.0.1, 0",
        "[fd00::1]:29500, fd00::1, 29500",
        "[fe80::1%eth0]:65535, fe80::1%eth0, 65535",
        "node0, node0, -1",
        "fd00::1, fd00::1, -1",
        "[fd00::1], fd00::1, -1",
        "fd00::1:29500, fd00::1:29500, -1",
        "node0:, node0, -2",
        "node0:x, node0, -2",
        "node0:65536, node0, -2",
        "node0:-1, node0, -2",
        "[fd00::1]:x, fd00::1, -2",
        ":29500, '', 29500",
        "'', '', -1"})
    void shouldTakeNoGroupOfAnAddressForThePort(final String text, final String host, final int port)
    {
        assertEquals(new HostPort(host, port), HostPort.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"node0:1", "[fd00::1]:65535", "10.0.0.1:0", "node0", "[fd00::1]"})
    void shouldPrintWhatItParses(final String text)
    {
        assertEquals(text, HostPort.parse(text).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:1, true", "127.0.0.1:1, true", "127.9.8.7:1, true", "[::1]:1, true",
        "127.1:1, false", "127.0.0.1.example:1, false", "node0:1, false", "[::2]:1, false"})
    void shouldKnowLoopbackAddressesByTheirText(final String text, final boolean isLoopback)
    {
        assertEquals(isLoopback, HostPort.parse(text).isLoopback());
    }

    @Test
    void shouldBeCompleteOnlyWithHostAndPort()
    {
        assertEquals("true false false false false", String.join(" ",
            Boolean.toString(HostPort.parse("a:1").isComplete()), Boolean.toString(HostPort.parse("a:0").isComplete()),
            Boolean.toString(HostPort.parse("a").isComplete()), Boolean.toString(HostPort.parse(":1").isComplete()),
            Boolean.toString(HostPort.parse("a:x").isComplete())));
    }
}
