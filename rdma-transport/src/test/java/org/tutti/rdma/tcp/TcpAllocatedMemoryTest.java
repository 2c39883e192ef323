/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.os.MemoryCalls;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests of the memory that a context allocates. */
class TcpAllocatedMemoryTest
{
    @Test
    void shouldAlignLargeMemoryToHugePages()
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS);
            AllocatedMemory memory = pair.connector().context().allocateMemory((5 << 20) + 1))
        {
            assertEquals(0, memory.address() % MemoryCalls.HUGE_PAGE);
            assertEquals((5 << 20) + 4096, memory.length());
        }
    }
}
