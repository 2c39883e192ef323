/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.CollectiveException;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OperationTableTest
{
    private final OperationTable table = new OperationTable(new StagingBuffers(null));

    private MessageOperation begun()
    {
        final MessageOperation operation = table.take().ofProbe(1, 2);
        table.begin(operation);
        table.add(operation);
        return operation;
    }

    /** A thread that waits for a request waits for its operation, and then reads the state of the request. */
    @Test
    void shouldEndTheRequestBeforeTheOperation()
    {
        final List<RuntimeException> ended = new ArrayList<>();
        final MessageOperation complete = begun();
        complete.request = cause ->
        {
            assertFalse(complete.isDone());
            ended.add(cause);
        };
        table.finish(complete);
        assertTrue(complete.isDone());

        final MessageOperation failed = begun();
        failed.request = cause ->
        {
            assertFalse(failed.isDone());
            ended.add(cause);
        };
        final CollectiveException cause = new CollectiveException(1, "failed by the test", null);
        table.failAll(cause);
        assertTrue(failed.isDone());
        assertEquals(2, ended.size());
        assertSame(cause, ended.get(1));
        assertTrue(table.isEmpty());
    }

    @Test
    void shouldTakeReleasedOperationsAgain()
    {
        final MessageOperation first = table.take();
        final MessageOperation second = table.take();
        final MessageOperation third = table.take();
        assertNotSame(first, second);
        table.releaseWithoutLock(first);
        table.releaseWithoutLock(second);
        table.release(third);
        assertSame(third, table.take());
        assertSame(second, table.take());
        assertSame(first, table.take());
        assertNotSame(first, table.take());
    }
}
