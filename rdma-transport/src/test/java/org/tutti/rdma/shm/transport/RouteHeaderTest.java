/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Gid;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RouteHeaderTest
{
    @Test
    void shouldEncodeHeaderAsSpecified()
    {
        final Gid source = new Gid(0x0102_0304_0506_0708L, 0x090A_0B0C_0D0E_0F10L);
        final Gid group = new Gid(0xFF0E_0000_0000_0000L, 0x1122L);
        final AddressHandleAttributes path =
            new AddressHandleAttributes(true, group, 0xABCDE, 0, 7, 0x5A, 0, 0, 0, 0, 1);
        final RouteHeader header = new RouteHeader(source);
        header.put(new AddressHandles().add(1, path, DatagramRoute.GROUP, 1), 5, true);
        final byte[] bytes = new byte[RouteHeader.LENGTH];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = UnsafeApi.getByte(header.address() + i);
        }
        header.close();

        // 5 bytes padded to 8, headers of 12 and 8, immediate data of 4, checksum of 4: 36.
        assertEquals("65aabcde" + "0024" + "1b" + "07" + "0102030405060708090a0b0c0d0e0f10" +
            "ff0e0000000000000000000000001122", HexFormat.of().formatHex(bytes));
    }
}
