/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.shm.peer.SharedFile;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class HeapTest
{
    private static final int PAGE = 4096;
    private static final int PAGES = 16;

    @TempDir
    private Path directory;
    private SharedFile file;
    private Heap heap;

    @BeforeEach
    void create()
    {
        file = SharedFile.create(directory.resolve("heap"), ControlLayout.HEAP_OFFSET + PAGES * PAGE, PAGE, "test");
        heap = new Heap(file);
    }

    @AfterEach
    void destroy()
    {
        file.destroy();
    }

    @Test
    void shouldAllocateWholePagesFirstFit()
    {
        assertEquals(ControlLayout.HEAP_OFFSET, heap.allocate(1, "test"));
        assertEquals(ControlLayout.HEAP_OFFSET + PAGE, heap.allocate(PAGE + 1, "test"));
        assertEquals(ControlLayout.HEAP_OFFSET + 3 * PAGE, heap.allocate(PAGE, "test"));
    }

    @Test
    void shouldCoalesceWhenFreedInAnyOrder()
    {
        final long[] offsets = new long[PAGES];
        for (int i = 0; i < PAGES; i++)
        {
            offsets[i] = heap.allocate(PAGE, "test");
        }
        for (int i = 0; i < PAGES; i += 2)
        {
            heap.free(offsets[i], PAGE);
        }
        for (int i = PAGES - 1; i > 0; i -= 2)
        {
            heap.free(offsets[i], PAGE);
        }
        assertEquals(ControlLayout.HEAP_OFFSET, heap.allocate(PAGES * PAGE, "test"));
    }

    @Test
    void shouldReportNoMemoryWhenHeapIsFull()
    {
        final RdmaException e = assertThrows(RdmaException.class, () -> heap.allocate((PAGES + 1) * PAGE, "test"));
        assertEquals(Errno.ENOMEM, e.errno());
    }
}
