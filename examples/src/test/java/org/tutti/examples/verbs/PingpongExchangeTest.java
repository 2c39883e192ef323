/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.Gid;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class PingpongExchangeTest
{
    /** Sent by ibv_rc_pingpong of rdma-core 44 on rxe0 at 10.77.0.1, with other numbers. */
    private static final String TEXT = "0000:000012:a0b1c2:00000000000000000000ffff0a4d0001";
    private static final Address ADDRESS = new Address(new Gid(0, 0xFFFF_0A4D_0001L), 0, 0, 0x12, 0xA0B1C2);

    @Test
    void shouldFormatAddressesAsLibibverbsPrograms()
    {
        assertEquals(TEXT + "\0", new String(PingpongExchange.format(ADDRESS), StandardCharsets.US_ASCII));
    }

    @Test
    void shouldParseAddressesOfLibibverbsPrograms()
    {
        assertEquals(ADDRESS, PingpongExchange.parse(TEXT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0000:000012:a0b1c2", "0000:000012:a0b1c2:zz", "GET / HTTP/1.1"})
    void shouldRejectInvalidAddresses(final String text)
    {
        assertThrows(ExampleException.class, () -> PingpongExchange.parse(text));
    }
}
