/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests of mapped memory. */
class MemoryCallsTest
{
    @ParameterizedTest
    @ValueSource(longs = {4096, MemoryCalls.HUGE_PAGE - 4096, MemoryCalls.HUGE_PAGE, MemoryCalls.HUGE_PAGE + 4096,
        5 * MemoryCalls.HUGE_PAGE})
    void shouldMapZeroedMemoryOfEachLength(final long length)
    {
        final long address = MemoryCalls.mapLarge(length);
        assertTrue(address > 0, () -> "errno " + -address);
        try
        {
            assertTrue(MemoryCalls.isMapped(address, length));
            for (long offset = 0; offset < length; offset += Long.BYTES)
            {
                assertEquals(0, UnsafeApi.getLong(address + offset));
            }
            UnsafeApi.putByte(address, (byte)1);
            UnsafeApi.putByte(address + length - 1, (byte)1);
        }
        finally
        {
            MemoryCalls.unmap(address, length);
        }
    }
}
